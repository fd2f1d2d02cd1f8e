/**
 * The baseline of the benchmark: a server on bare node:http, made for speed alone. It parses JSON, calculates like the
 * service and writes the same headers and bodies; it has no checks and no limits.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashText } from '../../src/hash/hash.ts';
import { assess } from '../../src/tax/assessment.ts';
import { lawOf } from '../../src/tax/law.ts';

interface Salary {
  readonly income: number;
  readonly dependents: number;
}

interface Plan {
  readonly principal: number;
  readonly monthly_deposit: number;
  readonly annual_rate: number;
  readonly years: number;
}

const calculations: Readonly<Record<string, (request: never) => unknown>> = {
  '/api/v1/tax/calculate': ({ income, dependents }: Salary) =>
    assess(income, { dependents }, lawOf('2026-08', 1)),
  '/api/v1/interest/calculate': growthInDoubles,
  '/api/v1/hash': hashText,
};

/** Compound interest in doubles, as programs usually calculate it; the last digits of large amounts are wrong. */
function growthInDoubles({ principal, monthly_deposit, annual_rate, years }: Plan): unknown {
  const roundTo = (unit: number, value: number): number => Math.round(value * unit) / unit;
  const round = (amount: number): number => roundTo(100, amount);
  const timeline = [];
  let balance = principal;
  for (let month = 1; month <= years * 12; month += 1) {
    balance += balance * (annual_rate / 1200) + monthly_deposit;
    if (month % 12 > 0) continue;
    const deposited = principal + month * monthly_deposit;
    timeline.push({
      year: month / 12,
      total_balance: round(balance),
      total_deposited: round(deposited),
      total_interest: round(balance - deposited),
    });
  }
  const last = timeline.at(-1);
  return {
    initial_principal: principal,
    monthly_deposit,
    annual_rate_percent: annual_rate,
    years,
    final_balance: last?.total_balance,
    total_deposited: last?.total_deposited,
    total_profit: last?.total_interest,
    effective_annual_rate: roundTo(1e6, ((1 + annual_rate / 1200) ** 12 - 1) * 100),
    timeline,
  };
}

const HEADERS = [
  ...['X-Content-Type-Options', 'nosniff'],
  ...['Cache-Control', 'no-store'],
  ...['Content-Type', 'application/json; charset=utf-8'],
  ...['Access-Control-Allow-Origin', '*'],
];

const server = http.createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
    const data = calculations[request.url ?? '']!(body as never);
    const text = JSON.stringify({ status: 'success', data });
    response.writeHead(200, [...HEADERS, 'Content-Length', String(Buffer.byteLength(text))]);
    response.end(text);
  });
});
server.listen(Number(process.env['PORT'] ?? 0), '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(
    `${JSON.stringify({ msg: 'ready', address: `http://127.0.0.1:${port}` })}\n`,
  );
});
