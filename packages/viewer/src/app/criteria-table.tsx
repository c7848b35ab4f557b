import { type CriterionResult, formatShare } from '@agent-criteria/core/host';
import type { RunCase, RunCriterion, RunSet } from '@agent-criteria/results';
import { formatScore, visible } from './format.ts';
import { Meter } from './score.tsx';
import { criterionOf } from './turn.tsx';
import { VerdictBadge, VerdictIcon } from './verdict.tsx';

const TURNS_SHOWN = 60;

/** What each criterion makes of the case, over all its repeats. */
export function CriteriaTable(props: {
  readonly one: RunCase;
  readonly set: RunSet | undefined;
  openTurn(repeat: number, turn: number | null): void;
}) {
  const { one, set } = props;
  return (
    <section class="criteria" aria-labelledby="criteria-title">
      <h2 id="criteria-title">Criteria</h2>
      {one.result.criteria.length === 0 && (
        <p class="nothing">Nothing was scored: no inference of this case finished.</p>
      )}
      {one.result.criteria.map((result) => (
        <Criterion
          key={result.name}
          result={result}
          openTurn={props.openTurn}
          criterion={criterionOf(set, result.name)}
        />
      ))}
    </section>
  );
}

function Criterion(props: {
  readonly result: CriterionResult;
  readonly criterion: RunCriterion | undefined;
  openTurn(repeat: number, turn: number | null): void;
}) {
  const { result, criterion } = props;
  const { score, threshold } = result;
  // The numbers of compat mode are ADK's, as they are.
  const passed = result.verdict === 'passed' && result.adkStatus === undefined;
  return (
    <article class={`criterion ${result.verdict}`}>
      <div class="criterion-head">
        <h3>{visible(result.name)}</h3>
        <VerdictBadge verdict={result.verdict} />
        <TurnStrip result={result} criterion={criterion} openTurn={props.openTurn} />
      </div>
      <p class="numbers">
        <span class="value">{formatScore(score, threshold, passed ? (criterion?.range ?? null) : null)}</span>
        {score !== null && criterion !== undefined && <Meter value={score} criterion={criterion} />}
        <span>{ruleOf(threshold, criterion)}</span>
        <span class={`coverage${result.coverage !== null && result.coverage < 1 ? ' partial' : ''}`}>
          {result.coverage === null ? 'not applicable' : `coverage ${formatShare(result.coverage)}`}
          <small>{countsOf(result)}</small>
        </span>
      </p>
      {result.reason !== undefined && (
        <p class="reason" dir="auto">
          {result.reason}
        </p>
      )}
      {result.warnings.map((warning) => (
        <p key={warning} class="warning" dir="auto">
          Warning: {warning}
        </p>
      ))}
    </article>
  );
}

/** A sign for each turn, which leads there. */
function TurnStrip(props: {
  readonly result: CriterionResult;
  readonly criterion: RunCriterion | undefined;
  openTurn(repeat: number, turn: number | null): void;
}) {
  const { criterion } = props;
  const { turns, threshold } = props.result;
  if (turns.length < 2) return null;
  return (
    <div class="strip">
      {turns.slice(0, TURNS_SHOWN).map(({ repeat, turn, value, reached, score }) => {
        const missing = 'missing' in score ? score.missing : undefined;
        const place = `${turn === null ? 'Conversation' : `Turn ${turn + 1}`}${repeat > 0 ? ` of repeat ${repeat + 1}` : ''}`;
        const label = `${place}: ${missing === undefined ? formatScore(value, threshold, reached === true ? (criterion?.range ?? null) : null) : missing.replaceAll('-', ' ')}`;
        return (
          <button
            type="button"
            key={`${repeat} ${turn}`}
            aria-label={label}
            title={label}
            onClick={() => props.openTurn(repeat, turn)}
          >
            <VerdictIcon verdict={signOf(missing, reached)} />
          </button>
        );
      })}
      {turns.length > TURNS_SHOWN && <span>and {turns.length - TURNS_SHOWN} more</span>}
    </div>
  );
}

function signOf(missing: string | undefined, reached: boolean | null) {
  if (missing !== undefined) return missing === 'not-applicable' ? 'skipped' : 'not-evaluated';
  if (reached === null) return 'informational';
  return reached ? 'passed' : 'failed';
}

function ruleOf(threshold: number | null, criterion: RunCriterion | undefined): string {
  const better = criterion === undefined ? '' : `, ${criterion.range.better} is better`;
  if (threshold === null) return `only measures${better}`;
  return `${criterion?.range.better === 'lower' ? 'at most' : 'at least'} ${threshold}${better}`;
}

function countsOf({ counts }: CriterionResult): string {
  const { scored, couldNotJudge, notApplicable } = counts;
  const parts = [
    ...(scored + couldNotJudge > 0 ? [`${scored} of ${scored + couldNotJudge} scored`] : []),
    ...(couldNotJudge > 0 ? [`${couldNotJudge} could not be judged`] : []),
    ...(notApplicable > 0 ? [`${notApplicable} not applicable`] : []),
  ];
  return parts.join(', ');
}
