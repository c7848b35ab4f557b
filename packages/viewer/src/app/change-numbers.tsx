import type { Change, RunComparison } from '@agent-criteria/analysis';
import { changeCells } from '@agent-criteria/analysis/text';
import { visible } from './format.ts';

/** The numbers of a comparison: what decides first, and among that the largest change first, by its share of what counts. */
export function ChangeNumbers({ comparison }: { readonly comparison: RunComparison }) {
  const { passRate, criteria, measures, level } = comparison;
  const size = ({ difference, minEffect }: Change) => Math.abs(difference ?? 0) / minEffect;
  const sorted = (changes: readonly Change[]) => changes.toSorted((a, b) => size(b) - size(a));
  const deciding = sorted([...(passRate === null ? [] : [passRate]), ...criteria]);
  const measured = sorted(measures.filter(({ difference }) => difference !== null));
  if (deciding.length + measured.length === 0) return null;
  return (
    <>
      <h3>Numbers</h3>
      <section
        class="number-table"
        aria-label="Numbers"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keys, too.
        tabIndex={0}
      >
        <table>
          <thead>
            <tr>
              <th scope="col">Number</th>
              <th scope="col">Before</th>
              <th scope="col">Now</th>
              <th scope="col">Change</th>
              <th scope="col">{Math.round(level * 100)}% interval</th>
              <th scope="col">p</th>
              <th scope="col">Result</th>
            </tr>
          </thead>
          <tbody>
            {[deciding, measured].flatMap((group) => {
              const most = reach(group);
              return group.map((change) => (
                <NumberRow key={change.name} change={change} decides={group === deciding} most={most} level={level} />
              ));
            })}
          </tbody>
        </table>
      </section>
    </>
  );
}

function NumberRow(props: {
  readonly change: Change;
  readonly decides: boolean;
  readonly most: number;
  readonly level: number;
}) {
  const { change, decides } = props;
  const { before, now, difference, interval, p, verdict } = changeCells(change, decides);
  return (
    <tr class={decides ? change.verdict : 'measured'}>
      <th scope="row">{visible(change.name)}</th>
      <td data-column="Before">{before ?? '–'}</td>
      <td data-column="Now">{now ?? '–'}</td>
      <td data-column="Change">{difference?.replace('-', '−') ?? '–'}</td>
      <td data-column={`${Math.round(props.level * 100)}% interval`}>
        {interval ?? '–'}
        <Dot change={change} most={props.most} />
      </td>
      <td data-column="p">{p ?? '–'}</td>
      <td title={change.text}>{verdict.charAt(0).toUpperCase() + verdict.slice(1)}</td>
    </tr>
  );
}

/** How far the axis of several changes goes to either side, in changes that just count: one axis, so that they can be compared. */
function reach(changes: readonly Change[]): number {
  const ends = changes.flatMap(({ interval, minEffect }) =>
    'unknown' in interval ? [] : [Math.abs(interval.low) / minEffect, Math.abs(interval.high) / minEffect],
  );
  return Math.max(2, ...ends);
}

/** The change as a dot and its interval as a line, around no change in the middle. */
function Dot({ change, most }: { readonly change: Change; readonly most: number }) {
  const { difference, interval, minEffect } = change;
  if (difference === null || 'unknown' in interval) return null;
  const at = (value: number) => 60 + (value / minEffect / most) * 56;
  return (
    <svg class="dot" viewBox="0 0 120 12" width="120" height="12" aria-hidden="true">
      <rect x={at(-minEffect)} y="0" width={at(minEffect) - at(-minEffect)} height="12" class="uncounted" />
      <line x1="60" y1="0" x2="60" y2="12" class="none" />
      <line x1={at(interval.low)} y1="6" x2={at(interval.high)} y2="6" class="interval" />
      <circle cx={at(difference)} cy="6" r="3.5" />
    </svg>
  );
}
