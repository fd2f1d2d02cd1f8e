/** The settings of the queue. */
import { integer, withDefault } from '../../contract/schema.ts';

/** The setting of the queue. */
export const overloadSettings = {
  maxLag: withDefault(
    integer({
      description:
        'Maximum time that a request waits for the processor before it gets 503, in milliseconds',
      minimum: 10,
      maximum: 60_000,
    }),
    500,
  ),
};
