/**
 * The yardstick: node:http as one would write it by hand for nothing but speed. It parses JSON, does the calculation of
 * the service and stringifies; it checks nothing, limits nothing and answers every path.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashText } from '../../src/hash/hash.ts';
import { calculateInterest } from '../../src/interest/interest.ts';
import { calculateTax } from '../../src/tax/tax.ts';

const calculations: Readonly<Record<string, (request: never) => unknown>> = {
  '/api/v1/tax/calculate': (request: Parameters<typeof calculateTax>[0]) =>
    calculateTax({ ...request, type: 'gross', region: 1, detail: false }, '2026-08'),
  '/api/v1/interest/calculate': (request: Parameters<typeof calculateInterest>[0]) =>
    calculateInterest({ ...request, compounding: 'monthly', deposit_timing: 'end', decimals: 2, timeline: 'yearly' }),
  '/api/v1/hash': hashText,
};

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    const data = calculations[request.url ?? '']!(body as never);
    const text = JSON.stringify({ status: 'success', data });
    response.writeHead(200, ['Content-Type', 'application/json', 'Content-Length', String(Buffer.byteLength(text))]);
    response.end(text);
  });
});
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ event: 'ready', address: `http://127.0.0.1:${port}` })}\n`);
});
