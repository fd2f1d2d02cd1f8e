/** The settings of the Model Context Protocol. */
import { choice, object, withDefault } from '../../contract/schema.ts';

/** The setting of the Model Context Protocol. */
export const mcpSettings = object({
  mcp: withDefault(
    choice(['on', 'off'], 'Whether /mcp exists, where programs that reason call the operations'),
    'on',
  ),
});
