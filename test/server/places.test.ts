/** The rule of places: which connection gives way to a new one. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { type Connection, connectionOf, knownConnection } from '../../src/server/connection.ts';
import { COMPARED_PLACES, RESERVED_PART } from '../../src/server/limits.ts';
import { type Place, Places, slowestOf } from '../../src/server/places.ts';
import { AT_ONCE } from '../../src/server/scheduler.ts';
import { replaceClock } from '../helpers/clock.ts';
import { part } from '../helpers/repository.ts';

const SECOND = 1_000;

/** A socket as far as connections use it, whose client sends some bytes at once, and further ones per second. */
class Client extends EventEmitter {
  readonly bytesPerSecond: number;
  bytesAtOnce: number;
  readonly acceptedAt = performance.now();
  readonly writable = true;
  /** The bytes of answers, and those of them that the client has not taken. */
  bytesWritten = 0;
  writableLength = 0;
  destroyed = false;

  constructor(bytesPerSecond: number, bytesAtOnce: number) {
    super();
    this.bytesPerSecond = bytesPerSecond;
    this.bytesAtOnce = bytesAtOnce;
  }

  get bytesRead(): number {
    const seconds = (performance.now() - this.acceptedAt) / SECOND;
    return this.bytesAtOnce + Math.floor(this.bytesPerSecond * seconds);
  }

  destroy(): void {
    this.destroyed = true;
  }
}

/** A crowd of clients with a number of places. */
class Crowd {
  readonly connections: Places<Connection>;
  readonly size: number;

  constructor(size: number) {
    this.connections = new Places(size);
    this.size = size;
  }

  accept(bytesPerSecond: number, bytesAtOnce = 0): Client {
    return this.add(new Client(bytesPerSecond, bytesAtOnce));
  }

  add<C extends EventEmitter>(client: C): C {
    const parts = { observers: [], scheduler: AT_ONCE };
    const connection = connectionOf(parts, client as unknown as Socket);
    this.connections.add(connection);
    if (this.connections.size > this.size) this.connections.takeSlowest().close('slow');
    return client;
  }

  /** The client with the lowest score. */
  get slowest(): Client {
    return slowestOf(new Set(this.connections))!.socket as unknown as Client;
  }

  leave(client: EventEmitter): void {
    this.connections.delete(knownConnection(client as unknown as Socket)!);
  }
}

test('the connection that has been idle longest gives way first, then the slower one', (context) => {
  const pass = replaceClock(context);
  const crowd = new Crowd(4);
  const clients = [0, 0, 100, 1_000].map((bytesPerSecond) => {
    pass(SECOND);
    return crowd.accept(bytesPerSecond);
  });
  for (let gone = 1; gone <= clients.length; gone += 1) {
    pass(10 * SECOND);
    crowd.accept(1_000_000);
    assert.deepEqual(
      clients.map(({ destroyed }) => destroyed),
      clients.map((_, index) => index < gone),
    );
  }
});

/** A time after which nothing is left of the score of a new connection. */
const LONG = 60 * SECOND;

test('of two connections without a score, the one that has been idle longer gives way', (context) => {
  const pass = replaceClock(context);
  const crowd = new Crowd(2);
  const first = crowd.accept(0);
  pass(SECOND);
  crowd.accept(0);
  pass(60 * LONG);
  assert.equal(crowd.slowest, first);
});

test('bytes count half after a second', (context) => {
  const pass = replaceClock(context);
  for (const bytes of [1_900, 2_100]) {
    const crowd = new Crowd(2);
    const [before, now] = [crowd.accept(0), crowd.accept(0)];
    pass(LONG);
    before.bytesAtOnce += bytes;
    assert.equal(crowd.slowest, now);
    pass(SECOND);
    now.bytesAtOnce += 1_000;
    assert.equal(crowd.slowest, bytes < 2_000 ? before : now);
  }
});

test('a new connection counts as one that has just moved 4 KiB', (context) => {
  const pass = replaceClock(context);
  for (const bytes of [4_095, 4_097]) {
    const crowd = new Crowd(2);
    const known = crowd.accept(0);
    pass(60 * LONG);
    known.bytesAtOnce += bytes;
    const added = crowd.accept(0);
    assert.equal(crowd.slowest, bytes < 4_096 ? known : added);
  }
});

test('a client that stops counts as a new one after five seconds, however much it has moved', (context) => {
  const pass = replaceClock(context);
  for (const wait of [5 * SECOND - 1, 5 * SECOND]) {
    const crowd = new Crowd(2);
    const stopped = crowd.accept(0, 2 ** 30);
    assert.equal(crowd.slowest, stopped);
    pass(wait);
    const added = crowd.accept(0);
    assert.equal(crowd.slowest, wait < 5 * SECOND ? added : stopped);
  }
});

test('the bytes that a client has taken of its answers count like those that it has sent', (context) => {
  const pass = replaceClock(context);
  const crowd = new Crowd(3);
  const [taking, sending, blocked] = [crowd.accept(0), crowd.accept(0), crowd.accept(0)];
  pass(LONG);
  taking.bytesWritten = 1_500;
  sending.bytesAtOnce = 1_000;
  blocked.bytesWritten = 1_000_000;
  blocked.writableLength = 999_500;
  const order = [blocked, sending, taking];
  for (const client of order) {
    assert.equal(crowd.slowest, client);
    client.bytesAtOnce += 2_000;
  }
});

/** Bytes of a short request, and of its answer. */
const REQUEST = 40;
const ANSWER = 480;
/** Milliseconds of a step, in which new clients and those that have given way connect. */
const STEP = 50;
/** Steps between two pieces of an upload, and those of a run. */
const PIECE_STEPS = 5;
const STEPS = 10 * (SECOND / STEP);

/** A socket as far as connections use it, whose client sends and receives bytes in steps. */
class Peer extends EventEmitter {
  bytesRead = 0;
  bytesWritten = 0;
  readonly writable = true;
  readonly writableLength = 0;
  destroyed = false;

  destroy(): void {
    this.destroyed = true;
  }

  /** The kernel probes no client of this model. */
  setKeepAlive(): this {
    return this;
  }

  /** Sends a request, and receives the answer. */
  converse(): void {
    this.bytesRead += REQUEST;
    this.bytesWritten += ANSWER;
    knownConnection(this as unknown as Socket)?.noteEnd(ANSWER);
  }
}

/** A client that holds a place: bytes that it sends at once, and what it does per period in steps. */
interface Holder {
  readonly label: string;
  readonly first?: number;
  readonly period?: number;
  readonly act?: (peer: Peer) => void;
}

const converse = (peer: Peer): void => peer.converse();
const leave = (peer: Peer): void => peer.destroy();
const HOLDERS: readonly Holder[] = [
  { label: 'silent' },
  { label: 'a body at 1 byte/s', first: 100, period: 20, act: (peer) => (peer.bytesRead += 1) },
  { label: 'a request per 5 s', period: 100, act: converse },
  { label: 'a request per second', period: 20, act: converse },
  { label: 'a request per 0.25 s', period: 5, act: converse },
  { label: 'reopened per second, silent', period: 20, act: leave },
  { label: 'reopened per second, with half a head', first: 30, period: 20, act: leave },
];

/** Places, and the bytes per second of four uploads. */
const RUNS = [10_000, 30_000, 100_000].flatMap((bytesPerSecond) =>
  [40, 200, 1_000].map((size) => ({ size, bytesPerSecond })),
);

/** Lets clients hold all places of a crowd until the end, in which uploads and new clients arrive. */
function hold(crowd: Crowd, pass: (time: number) => void, holder: Holder, speed: number): Peer[] {
  const { first = 0, period = Infinity, act } = holder;
  const holders: { peer: Peer; since: number }[] = [];
  const open = (bytes: number): Peer => {
    const peer = crowd.add(new Peer());
    peer.bytesRead += bytes;
    return peer;
  };
  for (let place = 0; place < crowd.size; place += 1)
    holders.push({ peer: open(first), since: place % 20 });
  const piece = (speed * PIECE_STEPS * STEP) / SECOND;
  const uploads: Peer[] = [];
  const others: Peer[] = [];
  for (let step = 20; step < STEPS; step += 1) {
    pass(STEP);
    for (const item of holders) {
      if ((step - item.since) % period === 0) act?.(item.peer);
    }
    // Those that have given way in the last step connect again.
    for (const item of holders.filter(({ peer }) => peer.destroyed)) {
      crowd.leave(item.peer);
      item.peer = open(first);
    }
    // The request of a new client arrives one step after it has connected, and ends its connection.
    const last = others.at(-1);
    if (last?.destroyed === false) crowd.leave(last);
    if (step % 10 === 0) others.push(open(0));
    if (step >= 40 && uploads.length < 4) uploads.push(open(100 + piece));
    if (step % PIECE_STEPS === 0) for (const upload of uploads) upload.bytesRead += piece;
  }
  return [...uploads, ...others];
}

const runs = `${part(RUNS).length} of ${RUNS.length} runs`;

test(`lets slow uploads and new clients through while others hold all places, in ${runs}`, (context) => {
  const pass = replaceClock(context);
  for (const { size, bytesPerSecond } of part(RUNS)) {
    for (const holder of HOLDERS) {
      const honest = hold(new Crowd(size), pass, holder, bytesPerSecond);
      const lost = honest.filter(({ destroyed }) => destroyed);
      assert.equal(lost.length, 0, `${size} places, ${bytesPerSecond} bytes/s: ${holder.label}`);
    }
  }
});

/** Bursts of newcomers, and the newcomers of each. */
const BURSTS = 16;
const BURST = 5;

/** Lets bursts of newcomers arrive, whose requests follow a step later. Returns how many keep their places until then. */
function answeredInBursts(crowd: Crowd, pass: (time: number) => void, act: () => void): number {
  let answered = 0;
  for (let burst = 0; burst < BURSTS; burst += 1) {
    act();
    const newcomers = Array.from({ length: BURST }, () => crowd.add(new Peer()));
    pass(STEP);
    answered += newcomers.filter(({ destroyed }) => !destroyed).length;
    newcomers.forEach((peer) => crowd.leave(peer));
  }
  return answered;
}

test('answers every newcomer of a burst while others hold all places with bodies or requests', (context) => {
  const pass = replaceClock(context);
  const rows: readonly [label: string, act: (peer: Peer) => void][] = [
    ['idle', () => undefined],
    ['a body at 10,000 bytes/s', (peer) => (peer.bytesRead += 500)],
    ['a body at 1,000,000 bytes/s', (peer) => (peer.bytesRead += 50_000)],
    ['20 requests per second', converse],
  ];
  for (const [label, act] of rows) {
    const crowd = new Crowd(BURST / RESERVED_PART);
    const holders: Peer[] = [];
    for (let place = 0; place < crowd.size; place += 1) holders.push(crowd.add(new Peer()));
    pass(SECOND);
    const actAll = (): void => {
      for (const [index, peer] of holders.entries()) {
        if (peer.destroyed) holders[index] = crowd.add(new Peer());
        act(holders[index]!);
      }
    };
    for (let step = 0; step < SECOND / STEP; step += 1) {
      actAll();
      pass(STEP);
    }
    assert.equal(answeredInBursts(crowd, pass, actAll), BURSTS * BURST, label);
  }
});

const infinite = (): Place => ({ scoreAt: () => Infinity });

test('the latest eighth of the places gives way to no other, whatever its scores are', () => {
  for (const size of [1, 8, 9, 40, 10_000]) {
    const reserved = Math.ceil(size / 8);
    const places = new Places<Place>(size);
    const all = Array.from({ length: size + 1 }, (_, index) => ({
      // The later a place is, the lower is its score.
      scoreAt: () => -index,
    }));
    for (const place of all) places.add(place);
    const others = all.slice(0, -reserved);
    for (let left = Math.min(others.length, 3); left > 0; left -= 1) {
      assert.ok(others.includes(places.takeSlowest() as (typeof all)[number]), `${size} places`);
    }
    assert.deepEqual(
      all.slice(-reserved).filter((place) => ![...places].includes(place)),
      [],
    );
  }
});

test('a place of the latest eighth that closes leaves it to an older one', () => {
  const places = new Places<Place>(16);
  const all = Array.from({ length: 17 }, infinite);
  for (const place of all) places.add(place);
  places.delete(all[16]!);
  const added = infinite();
  places.add(added);
  for (let left = 15; left > 0; left -= 1) places.takeSlowest();
  assert.deepEqual([...places], [all[15], added]);
});

test('compares a bounded number of connections, and each of them in turn', () => {
  const compared = new Map<Place, number>();
  const places = new Set<Place>();
  for (let count = 0; count < 1_000; count += 1) {
    const place: Place = {
      scoreAt: () => {
        compared.set(place, (compared.get(place) ?? 0) + 1);
        return 1;
      },
    };
    places.add(place);
  }
  const { size } = places;
  const calls = Math.ceil(size / COMPARED_PLACES);
  for (let call = 0; call < calls; call += 1) slowestOf(places);
  assert.equal(compared.size, size);
  const all = [...compared.values()].reduce((sum, count) => sum + count);
  assert.equal(all, calls * COMPARED_PLACES);
});

test('if all scores are infinite, the place whose last comparison is the oldest gives way', () => {
  const size = 2 * COMPARED_PLACES;
  const places = new Places<Place>(size);
  const all = Array.from({ length: size }, infinite);
  for (const place of all) places.add(place);
  for (const oldest of [all[0], all[COMPARED_PLACES]]) {
    places.add(infinite());
    assert.equal(places.takeSlowest(), oldest);
  }
});
