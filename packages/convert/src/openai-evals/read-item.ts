import type { Invocation, Problem } from '@agent-criteria/core';
import type { Conversation, RecordedLabel } from '../conversation.ts';
import { lastTurnJudged } from '../criteria/last-turn-judged.ts';
import { openCaseCriteria } from '../criteria/open-case-criteria.ts';
import { type Fields, objectIn } from '../fields.ts';
import { asQuestion } from '../messages/as-question.ts';
import { isMessageList, readMessages } from '../messages/read-messages.ts';
import type { Reading } from '../reading.ts';
import { fillTemplate } from '../templates/fill-template.ts';
import type { RunTemplate } from './evals-state.ts';
import { withoutId } from './graders.ts';
import { answerMessages, askedMessages, usageOf } from './item-messages.ts';

/** An item of a data source, with what is known of its answer. */
export interface EvalItem {
  readonly item: Fields;
  readonly sample: Fields;
  /** The results of graders. Default: none. */
  readonly results?: readonly Fields[] | undefined;
  readonly id?: string | undefined;
  readonly evalId: string | null;
  /** Unix seconds. */
  readonly createdAt?: number | undefined;
  readonly template: RunTemplate | null;
}

/** The settings of a sample, which a conversation does not have. */
const SETTINGS = ['seed', 'temperature', 'top_p', 'max_completion_tokens'];

/** Reads an item as a conversation. @returns the mistakes in it if it is none. */
export function readItem(
  { item, sample, results = [], id, evalId, createdAt, template }: EvalItem,
  place: { readonly file: string; readonly line: number; readonly where: string },
  reading: Reading,
): Conversation | readonly Problem[] {
  const { file, line, where } = place;
  const lose = (what: string): void => reading.losses.add(what, where);
  const wrong = (message: string): readonly Problem[] => [
    { code: 'INVALID_DATA', file, path: `line ${line}`, message },
  ];
  const user = reading.named.get('user');
  if (user !== undefined && user !== null) reading.found.add('user');
  const asked =
    isMessageList(sample.input) && user === undefined
      ? { messages: sample.input, missing: [] }
      : askedMessages(item, template, user);
  if ('problem' in asked) return wrong(asked.problem);
  for (const path of asked.missing)
    lose(`the placeholder {{ ${path.slice(0, 60)} }}, which the item has no value for, filled with nothing`);
  if (SETTINGS.some((key) => typeof sample[key] === 'number'))
    lose('settings of the model (temperature, seed and the like), left out');
  const answer = answerMessages(sample);
  const read = readMessages([...asQuestion(asked.messages, lose), ...answer], { onLoss: lose, usage: usageOf(sample) });
  const { turns } = read;
  if (turns.length === 0) return wrong('this item has no message of the user, so there is nothing to answer');
  const definition = reading.evals.definitionOf(evalId);
  if (definition === null && results.length > 0) {
    lose('graders of output items, which only their eval has: name the file of the eval before this one');
  }
  if (definition !== null) loseFields(item, [definition.text, JSON.stringify(template)], template, lose);
  const builder = openCaseCriteria(reading.rubricIds);
  for (const grader of definition?.graders ?? []) {
    const problem = grader(item, builder);
    if (problem !== null) lose(`${problem}, so it does not judge this case`);
  }
  const { criteria, reference } = builder.build();
  const label = labelOf(results);
  if (results.some((result) => Object.keys(objectIn(result.sample)).length > 0))
    lose('what models said as graders, left out');
  const { message: error } = objectIn(sample.error);
  const isBroken = typeof error === 'string' && error !== '';
  return {
    id: id ?? null,
    where,
    ...lastTurnJudged(
      turns.map(
        (turn, index): Invocation => (isBroken && index === turns.length - 1 ? { ...turn, finalResponse: null } : turn),
      ),
      reference,
    ),
    ...(definition === null ? {} : { criteria }),
    ...(label === undefined || isBroken ? {} : { label }),
    ...(isBroken ? { error: { code: 'AGENT_FAILED' as const, message: error } } : {}),
    ...(createdAt === undefined ? {} : { startedAt: createdAt * 1000, endedAt: createdAt * 1000 }),
  };
}

/** Combines the results of all graders: an item passes if all of them do. The scores are kept in the reason. */
function labelOf(results: readonly Fields[]): RecordedLabel | undefined {
  const judged = results.filter(({ passed }) => typeof passed === 'boolean');
  if (judged.length === 0) return undefined;
  const reasons = judged.map(({ name, passed, score, reason }) => {
    const said = typeof reason === 'string' && reason !== '' ? `: ${reason}` : '';
    const number = typeof score === 'number' ? ` (${score})` : '';
    return `${withoutId(String(name))} ${passed === true ? 'passed' : 'failed'}${number}${said}`;
  });
  return { label: judged.every(({ passed }) => passed === true) ? 'pass' : 'fail', reason: reasons.join('; ') };
}

/** Lists the fields of an item that neither its messages nor a grader has a placeholder for. */
function loseFields(
  item: Fields,
  texts: readonly string[],
  template: RunTemplate | null,
  lose: (what: string) => void,
): void {
  // Without the template, nothing says which fields the messages were made of.
  if (template === null || template.messages === null) return;
  const used = new Set<unknown>();
  for (const text of texts) {
    fillTemplate(text, {
      lookUp: ([space, key]) => {
        if (space === 'item') used.add(key);
        return undefined;
      },
    });
  }
  for (const key of Object.keys(item)) {
    if (!used.has(key)) lose(`the field "${key.slice(0, 60)}" of items, which no message and no grader has, left out`);
  }
}
