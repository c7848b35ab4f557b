import type { CriterionResult, TurnResult } from '@agent-criteria/core/host';
import type { RunCase, RunSet } from '@agent-criteria/results';
import { countTurns } from '../count-turns.ts';
import { turnsToExplain } from '../turns-to-explain.ts';
import { Comparison, placeOf } from './comparison.tsx';
import { scoreText, visible } from './format.ts';
import { Mark } from './mark.tsx';
import { criterionOf } from './turn.tsx';
import { VERDICT_WORDS, VerdictIcon } from './verdict.tsx';

const SHOWN = 6;

/** Links to the turns that explain why a case did not pass. Empty if there is only one turn, which is in view anyway. */
export function ShortfallLinks(props: {
  readonly one: RunCase;
  readonly set: RunSet | undefined;
  openTurn(repeat: number, turn: number | null): void;
}) {
  const { one, set, openTurn } = props;
  const { criteria, units } = one.result;
  if (units.length <= 1 && countTurns(one, 0) <= 1) return null;
  const links = criteria.filter(isShort).flatMap((result) => {
    const [turn] = turnsToExplain(result);
    return turn === undefined || turn.turn === null ? [] : [{ result, turn }];
  });
  if (links.length === 0) return null;
  return (
    <ul class="shortfalls" aria-label="Turns that explain it">
      {links.slice(0, SHOWN).map(({ result, turn }) => (
        <li key={result.name}>
          <Shortfall one={one} set={set} result={result} turn={turn} openTurn={openTurn} />
        </li>
      ))}
    </ul>
  );
}

function Shortfall(props: {
  readonly one: RunCase;
  readonly set: RunSet | undefined;
  readonly result: CriterionResult;
  readonly turn: TurnResult;
  openTurn(repeat: number, turn: number | null): void;
}) {
  const { one, set, result, turn, openTurn } = props;
  const criterion = criterionOf(set, result.name);
  const place = placeOf(turn, one);
  const value = scoreText(turn.value, result.threshold);
  return (
    <Mark
      label={`Expected and actual, for ${visible(result.name)} in ${place}`}
      name={`${place}: ${value} of ${visible(result.name)}, ${VERDICT_WORDS[result.verdict].toLowerCase()}`}
      title={visible(result.name)}
      sign={
        <>
          <VerdictIcon verdict={result.verdict} /> {place}: {value}
        </>
      }
      press={() => openTurn(turn.repeat, turn.turn)}
    >
      {(close) => (
        <Comparison
          one={one}
          result={result}
          criterion={criterion}
          turn={turn}
          openTurn={(repeat, at) => {
            close();
            openTurn(repeat, at);
          }}
        />
      )}
    </Mark>
  );
}

function isShort({ verdict }: CriterionResult): boolean {
  return verdict === 'failed' || verdict === 'not-evaluated';
}
