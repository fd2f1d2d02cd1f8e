/** The settings of bulk requests. */
import { integer, withDefault } from '../../contract/schema.ts';
import { BULK_LIMIT } from '../../service/body.ts';

/** The setting of bulk requests. */
export const bulkSettings = {
  bulkBuffer: withDefault(
    integer({
      description: 'Maximum body of a bulk request, in bytes',
      minimum: 65_536,
      maximum: 2 ** 30,
    }),
    BULK_LIMIT,
  ),
};
