/** The settings of the metrics. */
import { choice, withDefault } from '../../contract/schema.ts';

/** The setting of the metrics. */
export const metricsSettings = {
  metrics: withDefault(choice(['on', 'off'], 'Whether /metrics exists'), 'off'),
};
