import assert from 'node:assert/strict';
import { gzipSync, inflateRawSync } from 'node:zlib';

/** Bytes of a gzip stream (RFC 1952): its head, and the CRC-32 and the size of the content at its end. */
const [GZIP_HEAD, GZIP_END] = [10, 8];

/** The compressed bytes, and the CRC-32 of the content. */
function deflated(content: Uint8Array): { readonly data: Buffer; readonly sum: number } {
  const stream = gzipSync(content);
  const end = stream.length - GZIP_END;
  return { data: stream.subarray(GZIP_HEAD, end), sum: stream.readUInt32LE(end) };
}

/** The files of a ZIP archive, whose headers must agree with each other and with the content. */
export function unzip(archive: Buffer): Map<string, string> {
  const end = archive.length - 22;
  assert.equal(archive.readUInt32LE(end), 0x06054b50, 'the end of the directory');
  assert.equal(archive.readUInt16LE(end + 20), 0, 'no comment');
  const count = archive.readUInt16LE(end + 10);
  assert.equal(archive.readUInt16LE(end + 8), count);
  const [size, start] = [archive.readUInt32LE(end + 12), archive.readUInt32LE(end + 16)];
  assert.equal(start + size, end, 'the directory is before its end');
  const files = new Map<string, string>();
  let [at, local] = [start, 0];
  for (let index = 0; index < count; index += 1) {
    assert.equal(archive.readUInt32LE(at), 0x02014b50);
    assert.equal(archive.readUInt32LE(at + 42), local, 'files follow each other');
    assert.equal(archive.readUInt32LE(local), 0x04034b50);
    const length = archive.readUInt16LE(at + 28);
    // The directory repeats version, flags, method, time, sum, sizes and name.
    assert.deepEqual(
      archive.subarray(at + 6, at + 32),
      archive.subarray(local + 4, local + 30),
      'both headers',
    );
    const name = archive.toString('utf8', at + 46, at + 46 + length);
    assert.equal(archive.toString('utf8', local + 30, local + 30 + length), name);
    const content = local + 30 + length;
    local = content + archive.readUInt32LE(at + 20);
    const packed = archive.subarray(content, local);
    const bytes = archive.readUInt16LE(at + 10) === 8 ? inflateRawSync(packed) : packed;
    assert.equal(bytes.length, archive.readUInt32LE(at + 24), name);
    assert.equal(deflated(bytes).sum, archive.readUInt32LE(at + 16), name);
    assert.ok(!files.has(name), name);
    files.set(name, bytes.toString());
    at += 46 + length;
  }
  assert.deepEqual([at, local], [end, start]);
  return files;
}

/** An element of XML. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

const TOKEN = /<\/([\w:]+)>|<([\w:]+)((?:\s+[\w:]+="[^"<]*")*)\s*(\/?)>|([^<]+)/y;

/** Parses XML as these tests write it, and as the page does: elements, attributes in double quotes, and texts. */
export function parseXml(xml: string): XmlElement {
  const start = /^<\?xml version="1\.0" encoding="UTF-8" standalone="yes"\?>\n/.exec(xml);
  assert.ok(start, xml.slice(0, 100));
  assert.doesNotMatch(xml, /[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u);
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  TOKEN.lastIndex = start[0].length;
  while (TOKEN.lastIndex < xml.length) {
    const place = TOKEN.lastIndex;
    const [, closed, name, attributes = '', alone, text] =
      TOKEN.exec(xml) ?? assert.fail(`XML at ${place}: ${xml.slice(place, place + 50)}`);
    const parent = open.at(-1)!;
    if (closed !== undefined) assert.equal(open.pop()?.name, closed);
    else if (text !== undefined) parent.text += unescape(text);
    else {
      const pairs = [...attributes.matchAll(/([\w:]+)="([^"]*)"/g)];
      const named = pairs.map(([, key = '', value = '']) => [key, unescape(value)] as const);
      assert.equal(new Map(named).size, named.length, attributes);
      const element = {
        name: name!,
        attributes: Object.fromEntries(named),
        children: [],
        text: '',
      };
      parent.children.push(element);
      if (alone === '') open.push(element);
    }
  }
  assert.equal(open.length, 1);
  const [root = assert.fail(), ...more] = top.children;
  assert.deepEqual([more, top.text], [[], '']);
  return root;
}

function unescape(text: string): string {
  assert.doesNotMatch(text, /&(?!#\d+;|(?:amp|lt|gt|quot|apos);)/);
  return text.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code)));
}

/** All elements with a name, in their order. */
export function elementsOf(element: XmlElement, name: string): XmlElement[] {
  const own = element.name === name ? [element] : [];
  return [...own, ...element.children.flatMap((child) => elementsOf(child, name))];
}

/** How an archive deviates from a plain one. */
export interface Packing {
  readonly isStored?: boolean;
  /** Whether sizes and places are in ZIP64, as streaming programs write them. */
  readonly isWide?: boolean;
  readonly comment?: string;
  /** What stands before the archive. */
  readonly before?: string;
  /** The size of each file after inflating, as the headers state it. */
  readonly statedSize?: number;
  /** The CRC-32 of each file, as the headers state it. */
  readonly sum?: number;
  readonly method?: number;
  /** The bytes of each file that are there. */
  readonly cut?: number;
}

/** Makes a ZIP archive of files. */
export function zip(files: Readonly<Record<string, string>>, packing: Packing = {}): Buffer {
  const { isStored = false, isWide = false, comment = '', before = '', cut = Infinity } = packing;
  const method = packing.method ?? (isStored ? 0 : 8);
  const parts: Buffer[] = [Buffer.from(before)];
  const directory: Buffer[] = [];
  let offset = parts[0]!.length;
  for (const [path, text] of Object.entries(files)) {
    const [name, content] = [Buffer.from(path), Buffer.from(text)];
    const packed = deflated(content);
    const data = (isStored ? content : packed.data).subarray(0, cut);
    const sizes = [data.length, packing.statedSize ?? content.length] as const;
    const sum = packing.sum ?? packed.sum;
    const extra = isWide ? wide(sizes, offset) : Buffer.alloc(0);
    const head = Buffer.alloc(26);
    head.writeUInt16LE(20, 0);
    head.writeUInt16LE(method, 4);
    head.writeUInt32LE(sum, 10);
    head.writeUInt32LE(isWide ? 0xffffffff : sizes[0], 14);
    head.writeUInt32LE(isWide ? 0xffffffff : sizes[1], 18);
    head.writeUInt16LE(name.length, 22);
    head.writeUInt16LE(extra.length, 24);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(isWide ? 0xffffffff : offset, 10);
    directory.push(Buffer.from('PK\u0001\u0002\u0014\0'), head, place, name, extra);
    const local = [Buffer.from('PK\u0003\u0004'), head, name, extra, data];
    parts.push(...local);
    offset += Buffer.concat(local).length;
  }
  const end = Buffer.alloc(18);
  const count = Object.keys(files).length;
  end.writeUInt16LE(count, 4);
  end.writeUInt16LE(count, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(offset, 12);
  end.writeUInt16LE(comment.length, 16);
  return Buffer.concat([
    ...parts,
    ...directory,
    Buffer.from('PK\u0005\u0006'),
    end,
    Buffer.from(comment),
  ]);
}

/** The field of ZIP64 in a header: the size, the packed size and the place. */
function wide([packed, size]: readonly [number, number], offset: number): Buffer {
  const field = Buffer.alloc(28);
  field.writeUInt16LE(1, 0);
  field.writeUInt16LE(24, 2);
  [size, packed, offset].forEach((value, at) => field.writeBigUInt64LE(BigInt(value), 4 + at * 8));
  return field;
}
