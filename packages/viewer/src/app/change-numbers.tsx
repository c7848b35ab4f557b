import type { Change, RunComparison } from '@agent-criteria/analysis';
import { changeCells } from '@agent-criteria/analysis/text';
import { visible } from './format.ts';
import { NumberTable } from './number-table.tsx';

/**
 * The numbers of a comparison, deciding ones first. Within each group, they are sorted by the size of the change
 * relative to the smallest change that counts.
 */
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
      <NumberTable
        label="Numbers"
        columns={['Number', 'Before', 'Now', 'Change', `${Math.round(level * 100)}% interval`, 'p', 'Result']}
      >
        {[deciding, measured].flatMap((group) => {
          const most = reach(group);
          return group.map((change) => (
            <NumberRow key={change.name} change={change} decides={group === deciding} most={most} level={level} />
          ));
        })}
      </NumberTable>
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

/** Returns half the width of the axis shared by several changes, in units of the smallest change that counts. */
function reach(changes: readonly Change[]): number {
  const ends = changes.flatMap(({ interval, minEffect }) =>
    'unknown' in interval ? [] : [Math.abs(interval.low) / minEffect, Math.abs(interval.high) / minEffect],
  );
  return Math.max(2, ...ends);
}

/** Draws a change as a dot and its interval as a line. Zero is in the middle. */
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
