/** Writes one line of JSON to standard output: what happened, when, and the fields that belong to it. */
export function log(event: string, fields: Readonly<Record<string, unknown>> = {}): void {
  process.stdout.write(`${JSON.stringify({ time: new Date().toISOString(), event, ...fields })}\n`);
}

/** An error as fields of a line: its kind, message and stack, for a fault of ours is logged whole. */
export function fieldsOf(error: unknown): Readonly<Record<string, unknown>> {
  if (!(error instanceof Error)) return { message: String(error) };
  return { name: error.name, message: error.message, stack: error.stack };
}
