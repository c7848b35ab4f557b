import { type CaseResult, createRegistry, type Plan, resolveEvalConfig, summariseCase } from '@agent-criteria/core/host';
import { type Criterion, defineCriterion, type EvalCase, type Inference, noOptions, type Score } from '@agent-criteria/core';
import { type RecordedSet, type RunCase, type RunFacts, type RunRecord, type RunCall, runRecord } from '@agent-criteria/results';

// Runs with given scores, summarised as after an evaluation.

export function criterion(name: string, more: Partial<Pick<Criterion, 'scope' | 'decides' | 'range'>> = {}): Criterion {
  const { scope = 'turn', decides = true, range = { min: 0, max: 1, better: 'higher' } } = more;
  const origin = { package: 'criteria-mine', version: '1.2.3' };
  const head = { name, origin, description: 'A good score is good.', decides, range, options: noOptions };
  const evaluate = (): Score => ({ value: 1 });
  return scope === 'turn'
    ? defineCriterion({ ...head, scope, evaluate })
    : defineCriterion({ ...head, scope: 'conversation', evaluate });
}

/** One repeat: its record, and its scores by criterion name. */
export interface Repeat {
  /** The record, or `null` if there is none. */
  readonly inference: Inference | null;
  readonly scores?: Readonly<Record<string, readonly Score[]>>;
  readonly ending?: Inference['ending'];
}

export interface CaseSpec {
  readonly evalCase: EvalCase;
  readonly repeats: readonly Repeat[];
  readonly calls?: readonly RunCall[];
}

export interface SetSpec {
  readonly id?: string;
  readonly criteria?: readonly Criterion[];
  readonly config?: unknown;
  readonly compat?: 'adk' | null;
  readonly file?: string | null;
  readonly configFile?: string | null;
  readonly warnings?: RecordedSet['warnings'];
  readonly cases: readonly CaseSpec[];
}

export function runOf(sets: readonly SetSpec[], facts: Partial<RunFacts> = {}): RunRecord {
  const units = sets.flatMap(({ cases }) => cases).reduce((sum, { repeats }) => sum + Math.max(repeats.length, 1), 0);
  const record = runRecord(
    {
      units: { total: units, finished: units },
      id: 'run-1',
      startedAt: Date.UTC(2026, 10, 21, 12),
      endedAt: Date.UTC(2026, 10, 21, 12, 1),
      agent: 'lamp/agent.ts',
      ...facts,
    },
    sets.map(recorded),
  );
  const withCalls = (one: RunCase): RunCase => {
    const { evalId } = one.evalCase;
    const spec = sets.find(({ id = 'rooms' }) => id === one.setId);
    const calls = spec?.cases.find(({ evalCase }) => evalCase.evalId === evalId)?.calls;
    return calls === undefined ? one : { ...one, calls };
  };
  return {
    ...record,
    async *cases(setId) {
      for await (const one of record.cases(setId)) yield withCalls(one);
    },
    async case(key) {
      const one = await record.case(key);
      return one && withCalls(one);
    },
  };
}

function recorded(spec: SetSpec): RecordedSet {
  const { id = 'rooms', criteria = [criterion('kind')], cases, warnings = [] } = spec;
  const config = spec.config ?? { criteria: Object.fromEntries(criteria.map(({ name }) => [name, 0.8])) };
  const evalSet = { evalSetId: id, evalCases: cases.map(({ evalCase }) => evalCase) };
  const plan = resolveEvalConfig({
    evalSet,
    config,
    registry: createRegistry([...criteria]),
    compat: spec.compat ?? null,
    scoringOnly: true,
  });
  return {
    plan,
    warnings, file: spec.file ?? null, configFile: spec.configFile ?? null,
    cases: cases.map((one) => resultOf(plan, one)),
    inferences: cases.flatMap(({ evalCase, repeats }) =>
      repeats.flatMap(({ inference }, repeat) =>
        inference === null ? [] : [{ key: { setId: id, caseId: evalCase.evalId, repeat }, inference }],
      ),
    ),
  };
}

function resultOf(plan: Plan, { evalCase, repeats }: CaseSpec): CaseResult {
  const units = repeats.map(({ inference, ending, scores = {} }, repeat) => ({
    key: { setId: plan.evalSet.evalSetId, caseId: evalCase.evalId, repeat },
    sessionId: inference?.sessionId ?? '',
    ending: ending ?? inference?.ending ?? { by: 'end-of-case' as const },
    criteria: plan.criteria.map((planned) => ({
      name: planned.name,
      scope: planned.criterion.scope,
      scores: scores[planned.name] ?? [],
    })),
  }));
  return summariseCase(plan, evalCase, units);
}

export async function casesOf(run: RunRecord, setId?: string): Promise<RunCase[]> {
  const cases: RunCase[] = [];
  for await (const one of run.cases(setId)) cases.push(one);
  return cases;
}

/** Joins the pieces of a report. */
export async function textOf(report: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of report) text += chunk;
  return text;
}
