import type { CaseName } from '../case-key.ts';
import type { RunComparison } from '../compare-runs.ts';
import { nameList } from './phrases.ts';

const NAMES_SHOWN = 10;

/**
 * Lists what a comparison does not cover, one sentence each: other differences, numbers not compared, cases left out.
 *
 * @param name Escapes the name of a criterion or a case.
 * @param text Escapes any other text of a run.
 */
export function comparisonNotes(
  { differences, notCompared, cases }: Pick<RunComparison, 'differences' | 'notCompared' | 'cases'>,
  name: (text: string) => string,
  text: (text: string) => string = name,
): readonly string[] {
  const list = (all: readonly CaseName[]) =>
    nameList(all, NAMES_SHOWN, ({ setId, caseId }) => name(`${setId}:${caseId}`));
  const { onlyBase, onlyCandidate, askedOtherwise } = cases;
  return [
    ...differences.map((one) => `Note: ${text(one.text)}.`),
    ...notCompared.map((one) => `Not compared: ${name(one.name)}, because ${text(one.why)}.`),
    ...(onlyBase.length > 0 ? [`Left out, only in the base run: ${list(onlyBase)}.`] : []),
    ...(onlyCandidate.length > 0 ? [`Left out, only in the new run: ${list(onlyCandidate)}.`] : []),
    ...(askedOtherwise.length > 0
      ? [`Left out, because the agent gets different input: ${list(askedOtherwise)}.`]
      : []),
  ];
}
