import { type CriterionResult, formatShare } from '@agent-criteria/core/host';
import type { RunCase, RunCriterion, RunSet } from '@agent-criteria/results';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { breakable } from './breakable.tsx';
import { Comparison } from './comparison.tsx';
import { count, resultText, scoreText, visible } from './format.ts';
import { Fold } from './json-tree.tsx';
import { Prose } from './long-text.tsx';
import { Mark } from './mark.tsx';
import { reasonOf } from './reason-of.ts';
import { Meter, signOf, Warnings } from './score.tsx';
import { criterionOf } from './turn.tsx';
import { CRITERION_VERDICTS, VERDICT_WORDS, VerdictIcon } from './verdict.tsx';

const TURNS_SHOWN = 60;

export function worstFirst(results: readonly CriterionResult[]): readonly CriterionResult[] {
  const rank = ({ verdict }: CriterionResult) => CRITERION_VERDICTS.indexOf(verdict);
  return [...results].sort((a, b) => rank(a) - rank(b));
}

/** The results of all criteria, over all repeats of a case. */
export function CriteriaTable(props: {
  readonly one: RunCase;
  readonly set: RunSet | undefined;
  /** Default: all. */
  readonly results?: readonly CriterionResult[] | undefined;
  /** Whether space is limited. */
  readonly brief?: boolean;
  /** Whether its heading is visible. */
  readonly isHeaded?: boolean;
  openTurn(repeat: number, turn: number | null): void;
}) {
  const { one, set, brief = false } = props;
  const all = props.results ?? worstFirst(one.result.criteria);
  const measuring = brief ? [] : all.filter(isMeasuring);
  // A fold would hide nothing but everything if no criterion decides.
  const folded = measuring.length > 1 && measuring.length < all.length ? measuring : [];
  const results = folded.length === 0 ? all : all.filter((result) => !isMeasuring(result));
  const id = useId();
  const draw = (result: CriterionResult) => (
    <Criterion
      key={result.name}
      one={one}
      result={result}
      brief={brief}
      openTurn={props.openTurn}
      criterion={criterionOf(set, result.name)}
    />
  );
  return (
    <section class={brief ? 'criteria brief' : 'criteria'} aria-labelledby={id}>
      <h2 id={id} class={props.isHeaded === true ? undefined : 'unseen'}>
        Criteria
      </h2>
      {all.length === 0 && <p class="nothing">Nothing was scored: no inference of this case finished.</p>}
      {results.map(draw)}
      {folded.length > 0 && (
        <Fold class="measuring" summary={() => `${folded.length} criteria that only measure`}>
          {() => folded.map(draw)}
        </Fold>
      )}
    </section>
  );
}

function isMeasuring({ verdict, warnings }: CriterionResult): boolean {
  return verdict === 'informational' && warnings.length === 0;
}

interface CriterionProps {
  readonly one: RunCase;
  readonly result: CriterionResult;
  readonly criterion: RunCriterion | undefined;
  readonly brief: boolean;
  openTurn(repeat: number, turn: number | null): void;
}

function Criterion(props: CriterionProps) {
  const { result } = props;
  const { verdict, warnings } = result;
  if (verdict === 'failed' || verdict === 'not-evaluated') {
    return (
      <article class={`criterion ${verdict}`}>
        <div class="criterion-head">
          <CriterionMark {...props} sign={<VerdictIcon verdict={verdict} />} />
          <h3>{breakable(result.name)}</h3>
          <Numbers {...props} />
          <Covered result={result} />
          <TurnStrip {...props} />
        </div>
        <Words result={result} />
      </article>
    );
  }
  return (
    <div class="with-mark">
      <CriterionMark {...props} sign={<VerdictIcon verdict={verdict} />} />
      <Fold
        class={`criterion ${verdict}`}
        summary={() => (
          <span class="criterion-head">
            <span class="unseen">{VERDICT_WORDS[verdict]}: </span>
            <b>{breakable(result.name)}</b>
            <Numbers {...props} />
            {warnings.length > 0 && <span class="warning">{count(warnings.length, 'warning')}</span>}
          </span>
        )}
      >
        {() => (
          <>
            <div class="criterion-head">
              <Covered result={result} />
              <TurnStrip {...props} />
            </div>
            <Words result={result} />
          </>
        )}
      </Fold>
    </div>
  );
}

/** A criterion's verdict, with a card that explains it. */
function CriterionMark(props: CriterionProps & { readonly sign: ComponentChildren }) {
  const { one, result, criterion, openTurn } = props;
  const name = visible(result.name);
  return (
    <Mark
      class="mark"
      label={`Expected and actual, for ${name}`}
      name={`${VERDICT_WORDS[result.verdict]}: expected and actual of ${name}`}
      sign={props.sign}
    >
      {(close) => (
        <Comparison
          one={one}
          result={result}
          criterion={criterion}
          openTurn={(repeat, turn) => {
            close();
            openTurn(repeat, turn);
          }}
        />
      )}
    </Mark>
  );
}

function Numbers(props: Pick<CriterionProps, 'result' | 'criterion' | 'brief'>): ComponentChildren {
  const { result, criterion, brief } = props;
  const { score, threshold } = result;
  return (
    <span class="numbers">
      <b class="value">{resultText(result, criterion?.range)}</b>
      {!brief && (
        <span class="meter-room">
          {score !== null && criterion !== undefined && <Meter value={score} criterion={criterion} />}
        </span>
      )}
      <span class="rule">{ruleOf(threshold, criterion, brief)}</span>
      {result.coverage === null && <span>not applicable</span>}
      {result.coverage !== null && result.coverage < 1 && (
        <span class="coverage partial">coverage {formatShare(result.coverage)}</span>
      )}
      {typeof result.meanOfTurns === 'number' && <span>mean of the turns {scoreText(result.meanOfTurns)}</span>}
    </span>
  );
}

function Covered({ result }: { readonly result: CriterionResult }) {
  const counts = countsOf(result);
  return counts === '' ? null : <small>{counts}</small>;
}

function Words({ result }: { readonly result: CriterionResult }) {
  const reason = reasonOf(result);
  return (
    <>
      {reason !== undefined && <Prose class="reason" text={reason} />}
      <Warnings warnings={result.warnings} />
    </>
  );
}

/** One icon per turn, which opens the turn. */
function TurnStrip(props: CriterionProps) {
  const { one, result, criterion, openTurn } = props;
  const { turns, threshold } = result;
  if (turns.length < 2) return null;
  return (
    <div class="strip">
      {turns.slice(0, TURNS_SHOWN).map((own) => {
        const { repeat, turn, value, reached, score } = own;
        const missing = 'missing' in score ? score.missing : undefined;
        const place = `${turn === null ? 'Conversation' : `Turn ${turn + 1}`}${repeat > 0 ? ` of repeat ${repeat + 1}` : ''}`;
        const label = `${place}: ${missing === undefined ? scoreText(value, threshold, reached === true ? criterion?.range : null) : missing.replaceAll('-', ' ')}`;
        return (
          <Mark
            key={`${repeat} ${turn}`}
            label={label}
            name={label}
            sign={<VerdictIcon verdict={signOf(score, reached)} />}
            press={() => openTurn(repeat, turn)}
          >
            {(close) => (
              <Comparison
                one={one}
                result={result}
                criterion={criterion}
                turn={own}
                openTurn={() => {
                  close();
                  openTurn(repeat, turn);
                }}
              />
            )}
          </Mark>
        );
      })}
      {turns.length > TURNS_SHOWN && <span>and {turns.length - TURNS_SHOWN} more</span>}
    </div>
  );
}

function ruleOf(threshold: number | null, criterion: RunCriterion | undefined, brief: boolean): string {
  const better = criterion === undefined || brief ? '' : `, ${criterion.range.better} is better`;
  if (threshold === null) return `only measures${better}`;
  return `${criterion?.range.better === 'lower' ? 'at most' : 'at least'} ${threshold}${better}`;
}

/** Formats the counts of scores. Empty if only one turn was scored. */
function countsOf({ counts }: CriterionResult): string {
  const { scored, couldNotJudge, notApplicable } = counts;
  const due = scored + couldNotJudge;
  const parts = [
    ...(due > 1 || couldNotJudge > 0 ? [`${scored} of ${due} scored`] : []),
    ...(couldNotJudge > 0 ? [`${couldNotJudge} could not be judged`] : []),
    ...(notApplicable > 0 ? [`${notApplicable} not applicable`] : []),
  ];
  return parts.join(', ');
}
