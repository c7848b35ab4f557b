import { count, visible } from '@agent-criteria/viewer/views';
import type { RunEstimate } from '../../api.ts';

/** Shows the estimated model calls of a run, with warnings. */
export function RunEstimated({ estimate }: { readonly estimate: RunEstimate }) {
  const { cases, repeats, variants, total, rows, warnings } = estimate;
  const { calls, cost } = total;
  const span = ({ min, max }: { readonly min: number; readonly max: number }, digits = 0) => {
    const [least, most] = [min, max].map((end) => end.toLocaleString('en', { maximumFractionDigits: digits }));
    return min === max ? least : `${least} to ${most}`;
  };
  const asking = rows.filter((row) => row.calls === null || row.calls.max > 0);
  return (
    <>
      <p>
        <b>{count(cases, 'case')}</b>
        {variants > 1 && ` by ${count(variants, 'agent')}`}
        {repeats > 1 && `, ${repeats} repeats each`}.{' '}
        {calls === null
          ? 'How many calls the judges make is unknown.'
          : calls.max === 0
            ? 'No judge is asked.'
            : `${span(calls)} ${span(calls) === '1' ? 'call' : 'calls'} to judges${cost === null ? '; what they cost is unknown without prices' : `, for ${span(cost, 4)}`}.`}
      </p>
      {asking.length > 0 && (
        <ul>
          {asking.map((row) => (
            <li key={`${row.set} ${row.criterion}`}>
              {visible(row.criterion)}:{' '}
              {row.calls === null ? 'unknown' : `${span(row.calls)} ${span(row.calls) === '1' ? 'call' : 'calls'}`}{' '}
              <small>{row.models.map(visible).join(', ')}</small>
            </li>
          ))}
        </ul>
      )}
      {warnings.slice(0, 5).map((warning) => (
        <p key={warning} class="warning">
          {warning}
        </p>
      ))}
    </>
  );
}
