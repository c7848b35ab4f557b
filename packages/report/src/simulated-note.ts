import { counted } from '@agent-criteria/core/host';
import type { SimulatedCounts } from '@agent-criteria/results';

/**
 * Formats how many tool calls were not answered by the tool, or returns `null` if all were.
 *
 * @param show Formats the name of a tool simulator, which may be hostile.
 */
export function simulatedNote(counts: SimulatedCounts, show: (name: string) => string): string | null {
  const parts = Object.entries(counts);
  if (parts.length === 0) return null;
  const all = parts.reduce((sum, [, count]) => sum + count, 0);
  const by = parts.map(([name, count]) => `${count} by ${name === 'injection' ? name : show(name)}`).join(', ');
  return `${counted(all, 'tool call')} ${all === 1 ? 'was' : 'were'} simulated, not answered by the tool: ${by}.`;
}
