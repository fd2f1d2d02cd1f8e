/** The settings of the metrics. */
import { choice, object, withDefault } from '../../contract/schema.ts';

/** The setting of the metrics. */
export const metricsSettings = object({
  metrics: withDefault(choice(['on', 'off'], 'Whether /metrics exists'), 'off'),
});
