/** The memory for bulk requests, whose bodies are read to their ends before they are answered. */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { answerLines, emptyTally } from '../../src/lines/lines.ts';
import { FREE_SIZE, type Holder, Room } from '../../src/extensions/bulk/room.ts';
import { TimeSlicer } from '../../src/lines/time-slicer.ts';
import type { TextAnswer } from '../../src/service/answer.ts';
import { replaceClock } from '../helpers/clock.ts';
import { CLOSE, errorCode, type Fixture, listen, statusesOf } from '../helpers/fixture.ts';
import { listenRecorded, type Recorded } from '../helpers/recording.ts';
import {
  chunkOf,
  CHUNKED,
  connect,
  type Connection,
  HASH,
  headOf,
  isWhole,
  LAST_CHUNK,
  outline,
  responseIn,
} from '../helpers/streams.ts';
import { once, turn, until, within } from '../helpers/until.ts';

const MEBIBYTE = 2 ** 20;
const SECOND = 1_000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The bytes of the objects and buffers of this process that are in use. */
function memory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
const LINE = '{"text":"a"}\n';

/** A connection, and its socket in the service. */
interface Pair {
  readonly client: Connection;
  readonly peer: Socket;
}

async function open(context: TestContext, { server, port }: Fixture): Promise<Pair> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = await connect(context, port);
  const [peer] = await accepted;
  return { client, peer };
}

/** Sends bytes that the service reads. */
async function send({ client, peer }: Pair, bytes: string | Buffer): Promise<void> {
  const read = peer.bytesRead + Buffer.byteLength(bytes);
  client.socket.write(bytes);
  await until('bytes', () => peer.bytesRead === read || peer.destroyed, turn);
}

/** A body of one line, with spaces behind its JSON text. */
const bodyOf = (size: number): string => `${LINE.trimEnd().padEnd(size - 1)}\n`;

test('answers 2,000 lines of a client that sends all of them before it reads', async (context) => {
  // The answers, 14 MB, are more than the buffers of the connection can hold.
  const count = 2_000;
  const body = `{"text":"${'a'.repeat(2_500)}"}\n`.repeat(count);
  const room = new Room(32 * MEBIBYTE, 32 * MEBIBYTE);
  const fixture = await listen(context, {}, { room });
  const requests = [
    headOf(HASH, `Content-Length: ${body.length}`, 'Connection: close') + body,
    headOf(HASH, CHUNKED, 'Connection: close') + chunkOf(body) + LAST_CHUNK,
  ];
  for (const request of requests) {
    const { client, peer } = await open(context, fixture);
    client.socket.pause().write(request);
    await until('the end of the request', () => peer.bytesRead === request.length, turn);
    // The lines that have been answered need no room.
    await until('less room', () => room.used > 0 && room.used < body.length - FREE_SIZE, turn);
    client.socket.resume();
    await within('the close of a connection', client.closed);
    assert.ok(client.received.endsWith(`\r\n${LAST_CHUNK}`));
    assert.equal(client.received.split('{"status":"success"').length, count + 1);
    assert.equal(room.used, 0);
  }
});

test('holds hardly more than the bytes of a body, however small the chunks are', async (context) => {
  const fixture = await listen(context);
  const pair = await open(context, fixture);
  const chunks = Buffer.from(String(chunkOf('12345')).repeat(10_000));
  await send(pair, headOf(HASH, CHUNKED));
  const before = memory();
  for (let sent = 0; sent < 20; sent += 1) await send(pair, chunks);
  const grown = memory() - before;
  // As objects, 200,000 chunks would take more than 25 MB.
  assert.ok(grown < 8 * MEBIBYTE, String(grown));
  pair.client.socket.destroy();
});

test('holds no more than its block and a text while its lines wait, however short they are', async () => {
  const count = 50;
  for (const first of ['\n', '\xff']) {
    const block = Buffer.from(first + '\n'.repeat(MEBIBYTE / 16 - 1), 'latin1');
    const before = memory();
    const waiting = Array.from({ length: count }, () => {
      let turns = 0;
      const slicer = new TimeSlicer();
      // The slice ends with the first line.
      Object.defineProperty(slicer, 'isOver', { get: () => (turns += 1) > 1 });
      slicer.next = () => new Promise(() => undefined);
      const answer = (): TextAnswer => assert.fail('an answer to an empty line');
      const onFault = (): void => undefined;
      const route = { limit: 100, answer };
      const answers = answerLines(route, [block], onFault, emptyTally(), slicer);
      return { answers, next: answers.next() };
    });
    for (let index = 0; index < 100; index += 1) await turn();
    const grown = (memory() - before) / count;
    assert.ok(grown < MEBIBYTE / 8, `${JSON.stringify(first)}: ${grown}`);
    assert.equal(waiting.length, count);
  }
});

test('begins the answer to a bulk request when it has ended, whatever its size is', async (context) => {
  const room = new Room(2 * MEBIBYTE, MEBIBYTE);
  const fixture = await listen(context, {}, { room });
  for (const size of [LINE.length, FREE_SIZE + 1, MEBIBYTE - LINE.length]) {
    const body = bodyOf(size);
    const requests = [
      [headOf(HASH, `Content-Length: ${size + LINE.length}`) + body, LINE],
      [headOf(HASH, CHUNKED) + chunkOf(body), chunkOf(LINE) + LAST_CHUNK],
    ] as const;
    for (const [first, rest] of requests) {
      const pair = await open(context, fixture);
      await send(pair, first);
      assert.deepEqual(await statusesOf(fixture.port, CLOSE), [200]);
      assert.equal(pair.client.received, '');
      pair.client.socket.write(rest);
      await pair.client.until(isWhole);
      assert.deepEqual(outline(responseIn(pair.client.received).body), ['success', 'success']);
    }
  }
});

test('refuses a body over the limit with 413, whether its length is declared or counted', async (context) => {
  const room = new Room(2 * MEBIBYTE, MEBIBYTE);
  const { port } = await listen(context, {}, { room });
  const message = `Expected a bulk request of up to ${MEBIBYTE} bytes: send its lines in several requests`;
  for (const [size, status] of [
    [MEBIBYTE, 200],
    [MEBIBYTE + 1, 413],
  ] as const) {
    const body = bodyOf(size);
    const head = headOf(HASH, `Content-Length: ${size}`);
    for (const request of [head + body, headOf(HASH, CHUNKED) + chunkOf(body) + LAST_CHUNK]) {
      const { socket, until: received } = await connect(context, port);
      socket.write(request);
      let answer = '';
      await received((text) => isWhole((answer = text)));
      const { head, body } = responseIn(answer);
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `));
      if (status === 413) assert.ok(body.includes(message), body);
      socket.destroy();
    }
  }
  // One that is declared is refused before it arrives.
  const { socket, until: received } = await connect(context, port);
  socket.write(headOf(HASH, `Content-Length: ${MEBIBYTE + 1}`, 'Expect: 100-continue'));
  await received((text) => text.startsWith('HTTP/1.1 413 '));
  assert.equal(room.used, 0);
});

/** How a bulk request ends that takes up room; `rest` is the rest of its body. */
const ENDS: Readonly<Record<string, (client: Connection, rest: string) => void>> = {
  'with its answer': ({ socket }, rest) => socket.write(rest),
  'with its answer, which nobody reads': ({ socket }, rest) => {
    socket.pause().write(rest, () => socket.destroy());
  },
  'when its client leaves': ({ socket }) => socket.destroy(),
  'when its client resets the connection': ({ socket }) => socket.resetAndDestroy(),
  'when its client ends its side': ({ socket }) => socket.end(),
  'with a refusal, because its coding is malformed': ({ socket }) => socket.write('malformed\r\n'),
};

test('gives all of its room back, however a bulk request ends', async (context) => {
  const room = new Room(4 * FREE_SIZE, 3 * FREE_SIZE);
  const fixture = await listen(context, {}, { room });
  const body = bodyOf(2 * FREE_SIZE);
  const requests = [
    { request: headOf(HASH, `Content-Length: ${body.length + LINE.length}`) + body, rest: LINE },
    { request: headOf(HASH, CHUNKED) + chunkOf(body), rest: LAST_CHUNK },
  ];
  for (const [name, end] of Object.entries(ENDS)) {
    for (const { request, rest } of requests) {
      const { client } = await open(context, fixture);
      client.socket.write(request);
      await until('a part of the room', () => room.used === FREE_SIZE, turn);
      end(client, rest);
      // With a length, these bytes are a part of the body.
      if (name.endsWith('malformed')) client.socket.write(bodyOf(LINE.length));
      await until(`the room, ${name}`, () => room.used === 0, turn);
      client.socket.destroy();
    }
  }
});

/** A holder with a score, and whether it has given way. Like a request, it then holds no byte. */
class Scored implements Holder {
  held = 0;
  hasLeft = false;
  private readonly room: Room;
  private readonly score: number;

  constructor(room: Room, score: number) {
    this.room = room;
    this.score = score;
  }

  scoreAt(): number {
    return this.score;
  }

  giveWay(): void {
    this.hasLeft = true;
    this.room.note(this, 0);
  }
}

const KIBIBYTE = 1_024;
/** Scores of requests that hold 100 KiB each in a room of 300 KiB, and that of one that needs as much. */
const ROOMS: readonly [label: string, scores: readonly number[], asking: number, leaves: number][] =
  [
    ['the lowest score', [3, 1, 2], 2, 1],
    ['the lowest score, also that of the one that needs room', [3, 2, 4], 1, 3],
    ['a request that does not wait for the service', [Infinity, Infinity, 9], Infinity, 2],
    ['the latest, if all wait for the service', [Infinity, Infinity, Infinity], Infinity, 3],
    ['the latest, if all others wait for the service', [Infinity, Infinity, Infinity], 1, 3],
  ];

test('if bulk requests need more room than there is, one gives way', () => {
  for (const [label, scores, asking, leaves] of ROOMS) {
    const room = new Room(300 * KIBIBYTE, 300 * KIBIBYTE);
    const holders = [...scores, asking].map((score) => new Scored(room, score));
    const latest = holders.at(-1)!;
    for (const holder of holders) if (holder !== latest) room.hold(holder, 164 * KIBIBYTE);
    assert.ok(holders.every(({ hasLeft }) => !hasLeft));
    room.hold(latest, 164 * KIBIBYTE);
    assert.deepEqual(
      holders.map(({ hasLeft }, index) => (hasLeft ? index : -1)).filter((index) => index >= 0),
      [leaves],
      label,
    );
    assert.equal(room.used, 300 * KIBIBYTE);
    for (const holder of holders) room.note(holder, 0);
    assert.equal(room.used, 0);
  }
});

interface Crowd {
  /** Scores of requests that hold a number of bytes each in a room of 300 KiB. */
  readonly scores: readonly number[];
  readonly held: number;
  /** The score of a further request, and the bytes that it needs. */
  readonly asking: number;
  readonly needed: number;
  /** How many of the first leave, and whether the further one does. */
  readonly leave: number;
  readonly isRefused: boolean;
}

const CROWDS: readonly Crowd[] = [
  {
    scores: [1, 2, 3, 4, 5],
    held: 60 * KIBIBYTE,
    asking: 9,
    needed: 121 * KIBIBYTE,
    leave: 3,
    isRefused: false,
  },
  {
    scores: [1, Infinity, Infinity],
    held: 100 * KIBIBYTE,
    asking: Infinity,
    needed: 101 * KIBIBYTE,
    leave: 1,
    isRefused: true,
  },
  // The stack cannot hold as many calls.
  {
    scores: Array<number>(10_000).fill(1),
    held: 1,
    asking: 9,
    needed: 300 * KIBIBYTE,
    leave: 10_000,
    isRefused: false,
  },
];

test('as many requests give way as room is needed, and no more', () => {
  for (const { scores, held, asking, needed, leave, isRefused } of CROWDS) {
    const room = new Room(300 * KIBIBYTE, 300 * KIBIBYTE);
    const holders = scores.map((score) => new Scored(room, score));
    for (const holder of holders) room.hold(holder, FREE_SIZE + held);
    const latest = new Scored(room, asking);
    room.hold(latest, FREE_SIZE + needed);
    assert.deepEqual(
      [...holders, latest].map(({ hasLeft }) => hasLeft),
      [...scores.map((_, index) => index < leave), isRefused],
    );
  }
});

test('bodies of up to 64 KiB need no room, and are answered while others wait for all of it', async (context) => {
  const room = new Room(2 * MEBIBYTE, MEBIBYTE);
  const recorded = await listenRecorded(context, {}, { room });
  const waiting = [new Scored(room, Infinity), new Scored(room, Infinity)];
  for (const holder of waiting) room.hold(holder, MEBIBYTE + FREE_SIZE);
  assert.equal(room.used, room.size);
  for (const [size, status] of [
    [LINE.length, '200'],
    [FREE_SIZE, '200'],
    [FREE_SIZE + 1, '503'],
  ] as const) {
    const body = bodyOf(size);
    for (const request of [
      headOf(HASH, `Content-Length: ${size}`) + body,
      headOf(HASH, CHUNKED) + chunkOf(body) + LAST_CHUNK,
    ]) {
      const { socket, until: received } = await connect(context, recorded.port);
      socket.write(request);
      let answer = '';
      await received((text) => isWhole((answer = text)));
      const { head, body } = responseIn(answer);
      assert.match(head, new RegExp(`^HTTP/1.1 ${status} `));
      if (status === '503') {
        assert.match(head, /\r\nRetry-After: 1\r\n/);
        assert.equal(errorCode(body), 'overloaded');
      }
      socket.destroy();
    }
  }
  await until('the end of all requests', () => recorded.metrics.inFlight === 0, turn);
  assert.deepEqual([room.used, recorded.resets()], [2 * MEBIBYTE, []]);
  assert.ok(waiting.every(({ hasLeft }) => !hasLeft));
});

/** Sends a head and a part of a body in chunks. */
async function begin(context: TestContext, fixture: Fixture, size: number): Promise<Pair> {
  const pair = await open(context, fixture);
  await send(pair, headOf(HASH, CHUNKED) + chunkOf(bodyOf(size)));
  return pair;
}

/** The status of an answer, as soon as it has arrived. */
async function statusOf({ client }: Pair): Promise<string | undefined> {
  await client.until(isWhole);
  return /^HTTP\/1\.1 (\d+)/.exec(client.received)?.[1];
}

async function listenWithRoom(context: TestContext): Promise<Recorded & { readonly room: Room }> {
  const room = new Room(2 * MEBIBYTE, MEBIBYTE);
  return { ...(await listenRecorded(context, {}, { room })), room };
}

const LARGE = MEBIBYTE - KIBIBYTE;

test('refuses clients that stop in a body when another needs their room, and asks them to repeat', async (context) => {
  const pass = replaceClock(context);
  const recorded = await listenWithRoom(context);
  const stopped = [await begin(context, recorded, LARGE), await begin(context, recorded, LARGE)];
  pass(SECOND);
  const honest = await begin(context, recorded, LARGE);
  assert.equal(await statusOf(stopped[0]!), '503');
  assert.match(stopped[0]!.client.received, /\r\nRetry-After: 1\r\n/);
  honest.client.socket.write(LAST_CHUNK);
  assert.equal(await statusOf(honest), '200');
  // Its room was enough.
  assert.equal(stopped[1]!.client.received, '');
  assert.deepEqual(recorded.resets(), []);
});

test('a client that trickles gives way to one that sends, and one that needs room does to faster ones', async (context) => {
  const pass = replaceClock(context);
  const recorded = await listenWithRoom(context);
  const fast = await begin(context, recorded, MEBIBYTE / 2);
  const slow = await begin(context, recorded, LARGE);
  for (let second = 0; second < 20; second += 1) {
    pass(SECOND);
    await send(slow, chunkOf('\n'));
    await send(fast, chunkOf('\n'.repeat(10_000)));
  }
  const latest = await begin(context, recorded, LARGE);
  assert.equal(await statusOf(slow), '503');
  for (const { client } of [fast, latest]) {
    client.socket.write(LAST_CHUNK);
    await client.until((received) => received.endsWith(LAST_CHUNK));
  }
  assert.deepEqual(recorded.resets(), []);
});

test('resets a client that does not read its answer when another needs its room', async (context) => {
  const pass = replaceClock(context);
  const room = new Room(4 * MEBIBYTE, 4 * MEBIBYTE);
  const recorded = await listenRecorded(context, {}, { room });
  const line = `{"text":"${'a'.repeat(10_000)}"}\n`;
  // The answers are more than the buffers of both kernels take.
  const body = line.repeat(390);
  const unread = await open(context, recorded);
  unread.client.socket.pause();
  await send(unread, headOf(HASH, `Content-Length: ${body.length}`) + body);
  await until('an unread answer', () => unread.peer.writableLength > 0, turn);
  assert.ok(room.used > 0);
  pass(10 * SECOND);
  const honest = await begin(context, recorded, 4 * MEBIBYTE - KIBIBYTE);
  assert.ok(unread.peer.destroyed);
  honest.client.socket.write(LAST_CHUNK);
  assert.equal(await statusOf(honest), '200');
  assert.deepEqual(recorded.resets(), ['slow']);
});
