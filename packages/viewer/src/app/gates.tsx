import { gateTitle, gateWord, type ShownOutcome } from '@agent-criteria/results/text';
import { visible } from './format.ts';
import { VerdictIcon } from './verdict.tsx';

const SIGNS = { holds: 'passed', 'does not hold': 'failed', 'cannot tell': 'not-evaluated' } as const;

/** The gates of a run, one per line. */
export function Gates({ outcome }: { readonly outcome: ShownOutcome | undefined }) {
  if (outcome === undefined || outcome.gates.length === 0) return null;
  return (
    <ul class="gates" aria-label="Gates">
      {outcome.gates.map((gate) => {
        const word = gateWord(gate);
        const { baseline } = gate;
        return (
          <li key={gateTitle(gate)}>
            <VerdictIcon verdict={SIGNS[word]} />
            <span dir="auto">
              <b>{visible(gateTitle(gate))}</b> {word}: {visible(gate.text)}
              {baseline !== undefined && (
                <small title={`SHA-256 ${visible(baseline.hash)}`}> Baseline: {visible(baseline.id)}</small>
              )}
            </span>
          </li>
        );
      })}
    </ul>
  );
}
