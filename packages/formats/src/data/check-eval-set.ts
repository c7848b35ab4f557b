import type { ErrorCode, Problem } from '../errors.ts';
import { isObject } from '../json.ts';
import { closest } from '../schema/did-you-mean.ts';
import { formatPath, type PathSegment, shortened, spelledPath } from '../schema/path.ts';
import { problemList } from '../schema/problem-list.ts';

/**
 * Checks the rules for an eval set that types cannot express. Tolerates values of the wrong type, which have already
 * been reported, so that all mistakes in a file are reported together.
 *
 * @param evalSet As it was parsed.
 * @param written As it was written, for paths.
 */
export function checkEvalSet(
  evalSet: unknown,
  written: unknown,
  options: { readonly file?: string; readonly allowEmpty?: boolean },
): readonly Problem[] {
  const found = findings(written, options);
  const { place, report } = found;
  const cases = isObject(evalSet) ? evalSet.evalCases : undefined;
  if (Array.isArray(cases) && cases.length === 0 && options.allowEmpty !== true) {
    report('EMPTY', ['evalCases'], () => 'the set has no case, so nothing would be evaluated; add one');
  }
  const firstWithId = new Map<unknown, number>();
  for (const [index, evalCase] of objects(cases)) {
    const at: PathSegment[] = ['evalCases', index];
    const { evalId } = evalCase;
    const first = firstWithId.get(evalId);
    if (first === undefined) firstWithId.set(evalId, index);
    else if (typeof evalId === 'string') {
      report('DUPLICATE_ID', [...at, 'evalId'], () => {
        return `"${shortened(evalId)}" is already the id of ${place('evalCases', first)}; give each case its own id`;
      });
    }

    const conversation = evalCase.conversation ?? null;
    const scenario = evalCase.conversationScenario ?? null;
    if (conversation === null && scenario === null) {
      report('INVALID_DATA', at, () => `a case needs "conversation" or "conversation_scenario"${slipIn(evalCase)}`);
    } else if (conversation !== null && scenario !== null) {
      report('INVALID_DATA', at, () => 'a case has "conversation" or "conversation_scenario", not both; remove one');
    }
    if (Array.isArray(conversation) && conversation.length === 0) {
      report(
        'EMPTY',
        [...at, 'conversation'],
        () => 'the conversation has no turn, so nothing would be judged; add one',
      );
    }
    const ofCase = checkRubrics(found, evalCase.rubrics, at, NONE_TAKEN);
    for (const [turn, { rubrics }] of objects(conversation)) {
      if (rubrics) checkRubrics(found, rubrics, [...at, 'conversation', turn], ofCase);
    }
  }
  return found.list();
}

/** Checks the rules for a single turn that types cannot express. */
export function checkTurn(
  turn: unknown,
  written: unknown,
  options: { readonly file?: string; readonly path?: string },
): readonly Problem[] {
  if (!isObject(turn) || !Array.isArray(turn.rubrics)) return [];
  const found = findings(written, options);
  checkRubrics(found, turn.rubrics, [], NONE_TAKEN);
  return found.list();
}

type Findings = ReturnType<typeof findings>;

/** Collects a value's problems, with paths in the written form. */
function findings(written: unknown, { file, path }: { readonly file?: string; readonly path?: string }) {
  const problems = problemList(file);
  const place = (...segments: PathSegment[]) => formatPath(spelledPath(segments, written), path);
  const report = (code: ErrorCode, segments: PathSegment[], message: () => string) =>
    problems.add(code, place(...segments), message);
  return { place, report, list: problems.list };
}

const NONE_TAKEN: ReadonlyMap<unknown, PathSegment[]> = new Map();

/** Checks that rubric ids are unique, also with respect to the case's rubrics. */
function checkRubrics(
  { place, report }: Findings,
  rubrics: unknown,
  at: PathSegment[],
  taken: ReadonlyMap<unknown, PathSegment[]>,
): ReadonlyMap<unknown, PathSegment[]> {
  if (!Array.isArray(rubrics)) return taken;
  const ids = new Map(taken);
  for (const [index, { rubricId }] of objects(rubrics)) {
    const first = ids.get(rubricId);
    const own = [...at, 'rubrics', index];
    if (first === undefined) ids.set(rubricId, own);
    else if (typeof rubricId === 'string') {
      report('DUPLICATE_ID', [...own, 'rubricId'], () => {
        return `"${shortened(rubricId)}" is already the id of ${place(...first)}, which applies to the same turn; rename one`;
      });
    }
  }
  return ids;
}

/** Yields the objects in a list with their indexes. */
function* objects(list: unknown): Generator<[number, Record<string, unknown>]> {
  if (!Array.isArray(list)) return;
  for (let index = 0; index < list.length; index++) if (isObject(list[index])) yield [index, list[index]];
}

function slipIn(evalCase: Record<string, unknown>): string {
  const slip = Object.keys(evalCase).find(
    (key) => closest(key, ['conversation', 'conversationScenario']) !== undefined,
  );
  return slip === undefined || evalCase[slip] === null ? '' : `; is "${shortened(slip)}" a misspelling of it?`;
}
