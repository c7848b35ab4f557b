import { visible } from './format.ts';

/** Marks a tool call that was not answered by the tool. */
export function SimulatedMark({ by }: { readonly by: string | undefined }) {
  if (by === undefined) return null;
  return (
    <small class="badge informational" title={visible(by)}>
      simulated
    </small>
  );
}
