/** The settings of the Model Context Protocol. */
import { choice, withDefault } from '../../contract/schema.ts';

/** The setting of the Model Context Protocol. */
export const mcpSettings = {
  mcp: withDefault(
    choice(['on', 'off'], 'Whether /mcp serves the operations to AI assistants'),
    'on',
  ),
};
