import { contentText, type Range, type ScorePart } from '@agent-criteria/core';
import { groupOf } from '@agent-criteria/formats';
import type { Labelled, RunCase, RunRecord } from '@agent-criteria/results';
import { collectInstruments } from './collect-instruments.ts';
import type { CriterionFacts, Instrument } from './instrument.ts';
import { passedOf, shortened } from './outcome.ts';
import { criteriaOf, type MoreFacts } from './run-outcomes.ts';

/** A run's verdict on one item that a person may label as well. Plain JSON. */
export interface Judgement extends Labelled {
  readonly group: string | null;
  /**
   * `null` if the item could not be judged, or if its criterion does not apply or does not decide. A rubric of a criterion
   * that only measures is judged, too.
   */
  readonly passed: boolean | null;
  readonly reason: string | null;
}

/** All verdicts of a run, with the instruments that gave them. */
export interface Judged {
  /** In the order of the run. */
  readonly judgements: readonly Judgement[];
  readonly instruments: readonly Instrument[];
}

/** A kind of item to label: answers under one criterion, conversations under one rubric, or whole cases. */
export type Kind = Pick<Labelled, 'criterion' | 'rubric'> & { readonly unit: 'turn' | 'conversation' };

export function kindOf({ criterion, rubric, turn }: Labelled): Kind {
  return { criterion, rubric, unit: turn === null ? 'conversation' : 'turn' };
}

export interface JudgedOptions extends MoreFacts {
  /** Restricts a run with several variants to one. */
  readonly variant?: string | undefined;
  /** Selects kinds of items. Default: all. */
  readonly wants?: ((kind: Kind) => boolean) | undefined;
}

/** Reads every case of a run once and collects its verdicts. */
export async function judgedOf(run: RunRecord, options: JudgedOptions = {}): Promise<Judged> {
  const { variant, wants = () => true } = options;
  const facts = criteriaOf(run, options);
  const instruments = collectInstruments();
  const all: Judgement[] = [];
  for await (const one of run.cases()) {
    if (variant !== undefined && one.variant !== variant) continue;
    for (const judgement of judgementsOf(one, facts)) if (wants(kindOf(judgement))) all.push(judgement);
    instruments.add(one);
  }
  const list = instruments.list(facts).map(({ judged: _, ...instrument }): Instrument => instrument);
  return { judgements: all, instruments: list };
}

/** Lists the verdicts on one case: on the whole case, then each criterion's on conversations, turns and parts. */
function* judgementsOf(
  { setId, variant, evalCase, result }: RunCase,
  criteria: readonly Pick<CriterionFacts, 'name' | 'range'>[],
): Iterable<Judgement> {
  const about = {
    setId,
    caseId: evalCase.evalId,
    ...(variant === undefined ? {} : { variant }),
    group: groupOf(evalCase),
  };
  for (const { repeat, verdict, criteria: own } of result.units) {
    const whole = { ...about, repeat, turn: null, rubric: null };
    yield { ...whole, criterion: null, passed: passedOf(verdict), reason: short(result.reason) };
    for (const { name, verdict: of } of own) {
      const found = result.criteria.find((one) => one.name === name);
      const turns = found?.turns.filter((one) => one.repeat === repeat) ?? [];
      // Criteria that score whole conversations follow below.
      if (turns.some(({ turn }) => turn === null)) continue;
      const reason = turns.find(({ reached }) => reached === false) ?? turns[0];
      yield { ...whole, criterion: name, passed: passedOf(of), reason: short(reason?.score.reason) };
    }
  }
  for (const { name, turns } of result.criteria) {
    const range = criteria.find((one) => one.name === name)?.range;
    for (const { repeat, turn, reached, score } of turns) {
      const place = { ...about, repeat, turn, criterion: name };
      yield { ...place, rubric: null, passed: reached, reason: short(score.reason) };
      for (const part of 'parts' in score ? score.parts : []) {
        yield { ...place, rubric: part.id, passed: partPassed(part, range), reason: short(part.reason) };
      }
    }
  }
}

/**
 * Returns the agent's final answer in a turn, or in the last if `turn` is `null`, with its prompt and the expected
 * answer.
 */
export function exchangeOf(
  { evalCase, inferences }: RunCase,
  { repeat, turn }: Pick<Labelled, 'repeat' | 'turn'>,
): { readonly prompt: string; readonly expected: string; readonly answer: string } {
  const invocations = inferences.find(({ key }) => key.repeat === repeat)?.inference.invocations ?? [];
  const place = turn ?? invocations.length - 1;
  const [actual, expected] = [invocations[place], evalCase.conversation?.[place]];
  return {
    prompt: contentText((actual ?? expected)?.userContent),
    expected: contentText(expected?.finalResponse),
    answer: contentText(actual?.finalResponse),
  };
}

function short(reason: string | undefined): string | null {
  return reason === undefined ? null : shortened(reason);
}

/** Whether a part passes, which takes the middle of the scale or better. `null` without a value or an upper limit. */
export function partPassed(part: ScorePart, range: Range | undefined): boolean | null {
  if (!('value' in part) || part.value === null || range === undefined || range.max === null) return null;
  const middle = (range.min + range.max) / 2;
  return range.better === 'higher' ? part.value >= middle : part.value <= middle;
}
