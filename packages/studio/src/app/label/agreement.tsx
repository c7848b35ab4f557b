import type { Corrected, KindCalibration } from '@agent-criteria/analysis';
import { intervalText, percentText, plainText } from '@agent-criteria/analysis/text';
import { count, NumberTable, runAddress, visible } from '@agent-criteria/viewer/views';
import { useEffect, useState } from 'preact/hooks';
import type { LabelSheetKind } from '../../api.ts';
import { Answered, useAnswer } from '../answer.tsx';
import { formatRoute } from '../route.ts';

const SHOWN = 20;
const SHARE = { min: 0, max: 1 };
const PLAIN = { min: -1, max: 1 };

/**
 * Shows how well the judge agrees with all labels. Collapsed at first, because seeing it would bias the person who
 * labels.
 */
export function Agreement(props: {
  readonly run: string;
  readonly kind: LabelSheetKind;
  readonly round: number;
  readonly open: boolean;
}) {
  const { run, kind, round } = props;
  const [open, setOpen] = useState(props.open);
  useEffect(() => {
    if (props.open) setOpen(true);
  }, [props.open]);
  const query = { criterion: kind.criterion ?? undefined };
  const found = useAnswer('GET /runs/:run/calibration', open ? { run, query } : null, round);
  const own =
    found.state === 'there'
      ? found.value.kinds.find((one) => one.criterion === kind.criterion && one.rubric === kind.rubric)
      : undefined;
  return (
    <details class="label-agreement" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        How far the {kind.judged ? 'judge' : kind.criterion === null ? 'run' : 'criterion'} agrees with the labels so
        far
      </summary>
      {open && (
        <Answered found={found} waiting="Comparing…">
          {() => (own === undefined ? <p class="note">There are no labels yet.</p> : <Numbers run={run} own={own} />)}
        </Answered>
      )}
      <p class="note">
        In the terminal, with the file to keep: <code>npx agent-criteria calibrate {visible(run)}</code>
      </p>
    </details>
  );
}

function Numbers({ run, own }: { readonly run: string; readonly own: KindCalibration }) {
  const { raw, kappa, ac1, passRate, differences, warnings, ties, unjudged, statement, table, rater } = own;
  const { judge, these, like } = passRate;
  const rows = [
    {
      name: 'Same verdict',
      value: typeof raw.value === 'number' ? percentText(raw.value) : null,
      interval: intervalText(raw.interval, SHARE),
    },
    { name: 'Cohen’s kappa', value: textOf(kappa.value), interval: intervalText(kappa.interval, PLAIN) },
    { name: 'Gwet’s AC1', value: textOf(ac1.value), interval: intervalText(ac1.interval, PLAIN) },
    {
      name: `Pass rate by the ${rater}`,
      value: judge.value === null ? null : percentText(judge.value),
      interval: intervalText(judge.interval, SHARE),
    },
    rateRow('Pass rate by people, of these cases', these),
    rateRow('Pass rate by people, of cases like these', like),
  ];
  return (
    <>
      <p>{visible(statement)}</p>
      {warnings.map((warning) => (
        <p key={warning} class="note">
          Note: {visible(warning)}.
        </p>
      ))}
      <NumberTable label="Agreement" columns={['Number', 'Value', '95% interval']}>
        {rows.map(({ name, value, interval }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{value ?? 'unknown'}</td>
            <td>{interval ?? '–'}</td>
          </tr>
        ))}
      </NumberTable>
      {'unknown' in these && <p class="note">The pass rate by people is unknown: {visible(these.unknown)}.</p>}
      <p class="note">
        Both pass {table.bothPass}, both fail {table.bothFail}; only the {rater} passes {table.judgePassesOnly}, only
        people pass {table.peoplePassOnly}.{ties > 0 && ` Left out: ${count(ties, 'tie')}.`}
        {unjudged > 0 && ` Left out: ${unjudged} without a verdict of the ${rater}.`}
      </p>
      {differences.length > 0 && (
        <>
          <h3>Where they differ ({differences.length})</h3>
          <ul class="label-differences">
            {differences.slice(0, SHOWN).map((one) => (
              <li key={`${one.setId} ${one.caseId} ${one.variant} ${one.repeat} ${one.turn}`}>
                <a
                  href={runAddress(formatRoute({ view: 'run', run }), {
                    ...one,
                    view: 'case',
                    set: one.setId,
                    id: one.caseId,
                  })}
                >
                  {visible(one.caseId)}
                </a>
                {one.turn !== null && `, turn ${one.turn + 1}`}: {rater} <b>{one.judge}</b>
                {one.judgeReason !== null && <bdi> ({visible(one.judgeReason)})</bdi>}
                {one.opinions.map(({ by, label, reason }) => (
                  <span key={by}>
                    , <bdi>{visible(by)}</bdi> <b>{label}</b>
                    {reason !== null && <bdi> ({visible(reason)})</bdi>}
                  </span>
                ))}
              </li>
            ))}
          </ul>
          {differences.length > SHOWN && <p class="note">And {differences.length - SHOWN} more.</p>}
        </>
      )}
    </>
  );
}

function rateRow(name: string, rate: Corrected | { readonly unknown: string }) {
  if ('unknown' in rate) return { name, value: null, interval: null };
  return { name, value: percentText(rate.value), interval: rate.exact ? 'exact' : intervalText(rate, SHARE) };
}

function textOf(value: number | { readonly unknown: string }): string | null {
  return typeof value === 'number' ? plainText(value) : null;
}
