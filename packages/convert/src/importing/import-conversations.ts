import { sha256 } from '@agent-criteria/calls';
import { CriteriaError, type EvalCase, type EvalSet, toolCalls } from '@agent-criteria/core';
import type { EvalConfig } from '@agent-criteria/formats';
import { secretMask } from '@agent-criteria/masking';
import { type RecordedConversation, type RunSettings, saveConversations } from '@agent-criteria/runner';
import type { Conversation } from '../conversation.ts';
import type { CaseCriteria } from '../criteria/case-criteria.ts';
import type { ConvertedCheck } from '../criteria/conversions.ts';
import { settleCriteria } from '../criteria/settle-criteria.ts';
import { type Loss, lossText } from '../losses.ts';
import { nameOf } from '../name-of.ts';
import { type OpenedConversations, openConversations } from '../open-conversations.ts';
import type { OpenConversationsOptions, ReadFile } from '../open-options.ts';
import { type ConversationChoice, chooseConversations, type LeftOut } from './choose-conversations.ts';
import { importFingerprint } from './cut-off-import.ts';
import { caseOfLog, caseToJudge, caseToRepeat, inferenceOf, withCriteria } from './to-case.ts';
import { uniqueIds } from './unique-ids.ts';

/** Changes to conversations before they are stored. */
type Redaction = Pick<RunSettings, 'maskSecrets' | 'environment' | 'alsoMasked'>;

export interface ImportOptions extends OpenConversationsOptions, ConversationChoice, Redaction {
  /** The id of the eval set. Default: the name of the first file, in letters, digits and underscores. */
  readonly evalSetId?: string | undefined;
  /** Called with the number of conversations so far. */
  readonly onConversation?: ((count: number) => void) | undefined;
}

/** A summary of an import. Plain JSON. */
export interface Imported {
  readonly files: readonly ReadFile[];
  readonly evalSetId: string;
  readonly conversations: number;
  readonly turns: number;
  readonly calls: number;
  readonly labels: { readonly pass: number; readonly fail: number };
  readonly leftOut: LeftOut;
  /** The checks of the files that became criteria, with how these differ. */
  readonly criteria: readonly ConvertedCheck[];
  /** Everything that could not be taken over. */
  readonly losses: readonly Loss[];
}

export interface ImportRunOptions extends ImportOptions, Pick<RunSettings, 'redact'> {
  /** A new or empty folder for the run, or that of the same import if it was cut off (see `cutOffImport`). */
  readonly folder: string;
  /** A name for the run. Default: none. */
  readonly name?: string | undefined;
  /** The person whose labels the file holds. Default `"imported"`. */
  readonly by?: string | undefined;
}

export interface ImportedRun extends Imported {
  readonly cases: number;
  readonly repeats: number;
  /** The number of conversations that were in the folder already, because an import that was cut off is continued. */
  readonly found: number;
}

/**
 * Makes a run of recorded conversations, which can be scored, labelled and compared like any other. Its cases hold the
 * messages of the user and what the files say is expected; labels count for every scoring. One conversation at a time
 * is in memory.
 *
 * @throws CriteriaError with every mistake in the files; EMPTY if no conversation is left, or none has an answer. The
 *   folder then holds no run.
 */
export async function importRun(options: ImportRunOptions): Promise<ImportedRun> {
  const opened = openImport(options);
  const { by = 'imported' } = options;
  const [first = ''] = options.files;
  async function* recorded(): AsyncGenerator<RecordedConversation> {
    for await (const { conversation, evalId } of opened.conversations) {
      const { repeat, startedAt, endedAt, label, criteria } = conversation;
      const evalCase = caseOfLog(conversation, evalId);
      yield {
        evalCase: criteria === undefined ? evalCase : withCriteria(evalCase, criteria),
        inference: inferenceOf(conversation, evalId),
        repeat,
        startedAt,
        endedAt,
        label: label === undefined ? undefined : { ...label, by },
      };
    }
    if (opened.counts.conversations === 0) throw nothingLeft(opened.losses());
    if (opened.counts.replies === 0) throw noReplies(first, opened.files);
  }
  const { folder, name, maskSecrets, environment, alsoMasked, redact } = options;
  const redaction = { maskSecrets, environment, alsoMasked, redact };
  const evalSetId = setIdOf(options);
  const agent = options.files.length > 1 ? `${first} and ${options.files.length - 1} more` : first;
  const fingerprint = await importFingerprint(options);
  const given = { folder, name, evalSetId, agent, fingerprint, conversations: recorded() };
  const { cases, repeats, found } = await saveConversations({ ...given, ...redaction });
  return { ...opened.imported(evalSetId), cases, repeats, found };
}

export interface ImportedCases extends Imported {
  readonly evalSet: EvalSet;
  /** The config with the criteria that the checks of the files became, or `null` if they have none. */
  readonly config: EvalConfig | null;
}

/**
 * Makes an eval set of recorded conversations: the agent is expected to do again what it did, unless the files say that
 * something else is expected. Cases of files with checks of their own are judged by these instead. Conversations that broke are
 * left out.
 *
 * @throws CriteriaError with every mistake in the files; EMPTY if no conversation is left.
 */
export async function importCases(options: ImportOptions): Promise<ImportedCases> {
  const opened = openImport(options);
  const cases: JudgedCase[] = [];
  const known = new Set<string>();
  const isKnown = ({ evalId: _, ...asked }: EvalCase): boolean => {
    const key = sha256(JSON.stringify(asked));
    return known.has(key) || !known.add(key);
  };
  for await (const { conversation, evalId } of opened.conversations) {
    const { criteria, error, where } = conversation;
    if (criteria !== undefined) {
      const evalCase = caseToJudge(conversation, evalId);
      if (isKnown(withCriteria(evalCase, criteria))) {
        opened.lose('cases that ask and check the same as an earlier one, left out', where);
        continue;
      }
      cases.push({ evalCase, criteria });
      if (conversation.turns.some(({ appDetails }) => appDetails)) {
        opened.lose('instructions in prompts (system messages), left out: the agent has its own', where);
      }
    } else if (error === undefined) cases.push({ evalCase: caseToRepeat(conversation, evalId), criteria });
    else opened.lose('conversations that broke, left out', where);
  }
  if (cases.length === 0) throw nothingLeft(opened.losses());
  const { config, evalCases } = settled(cases, (what) => opened.lose(what, options.files[0] ?? ''));
  const evalSetId = setIdOf(options);
  const evalSet = { evalSetId, name: evalSetId, evalCases };
  const { maskSecrets = true, environment = process.env, alsoMasked = [] } = options;
  const mask = maskSecrets ? secretMask({ environment: () => [environment, ...alsoMasked] }) : null;
  const safe = mask?.json(evalSet) ?? evalSet;
  return {
    ...opened.imported(evalSetId),
    evalSet: { ...safe, evalSetId, name: evalSetId },
    config: config === null ? null : (mask?.json(config) ?? config),
  };
}

/** A case with the criteria of its file, if it has any. */
interface JudgedCase {
  readonly evalCase: EvalCase;
  readonly criteria: CaseCriteria | undefined;
}

/** Writes the criteria of cases: what all of them share into a config, and the rest into each case. */
function settled(
  cases: readonly JudgedCase[],
  lose: (what: string) => void,
): { readonly config: EvalConfig | null; readonly evalCases: readonly EvalCase[] } {
  const none: CaseCriteria = { options: new Map(), rubrics: [], entries: new Map(), judges: [] };
  const { config, cases: left } = settleCriteria(
    cases.map(({ criteria }) => criteria ?? none),
    lose,
  );
  const evalCases = cases.map(({ evalCase }, index) => withCriteria(evalCase, left[index] ?? none));
  return { config: Object.keys(config.criteria ?? {}).length === 0 ? null : config, evalCases };
}

/** Opens the files, and names, chooses and counts their conversations. */
export function openImport(options: ImportOptions) {
  const opened: OpenedConversations = openConversations(options);
  const chosen = chooseConversations(opened.conversations, options);
  const idOf = uniqueIds(nameOf(options.files[0] ?? ''), opened.lose);
  const counts = { conversations: 0, turns: 0, calls: 0, replies: 0, pass: 0, fail: 0 };
  const count = ({ turns, label, history = 0 }: Conversation): void => {
    counts.conversations += 1;
    counts.turns += turns.length;
    for (const [index, turn] of turns.entries()) {
      const calls = toolCalls(turn).length;
      counts.calls += calls;
      // Messages before the beginning of the case do not answer it.
      if (index >= history && (calls > 0 || turn.finalResponse)) counts.replies += 1;
    }
    if (label !== undefined) counts[label.label] += 1;
  };
  async function* conversations() {
    for await (const conversation of chosen.conversations) {
      count(conversation);
      options.onConversation?.(counts.conversations);
      options.signal?.throwIfAborted();
      yield { conversation, evalId: idOf(conversation) };
    }
  }
  return {
    conversations: conversations(),
    counts,
    files: opened.files,
    lose: opened.lose,
    losses: opened.losses,
    imported(evalSetId: string): Imported {
      const { pass, fail, replies: _, ...numbers } = counts;
      const labels = { pass, fail };
      return {
        files: opened.files,
        evalSetId,
        ...numbers,
        labels,
        leftOut: chosen.leftOut(),
        criteria: opened.conversions(),
        losses: opened.losses(),
      };
    },
  };
}

export function setIdOf({ evalSetId, files }: ImportOptions): string {
  return (
    evalSetId ??
    (nameOf(files[0] ?? '')
      .replace(/\W+/g, '_')
      .replace(/^_+|_+$/g, '') ||
      'conversations')
  );
}

function nothingLeft(losses: readonly Loss[]): CriteriaError {
  const why = losses.map((loss) => `: ${lossText(loss)}`).slice(0, 1);
  return new CriteriaError({ code: 'EMPTY', message: `no conversation is left to import${why.join('')}` });
}

function noReplies(file: string, read: readonly ReadFile[]): CriteriaError {
  if (read.some(({ format }) => format === 'openai-evals' || format === 'promptfoo')) {
    const message =
      'these are tests without answers, so there is nothing to score: make an eval set of them with --cases FILE';
    return new CriteriaError({ code: 'EMPTY', file, message });
  }
  const message =
    'no column holds the answers of the agent, so there is nothing to score: name it with --column answer=PATH, or make an eval set of these messages with --cases FILE';
  return new CriteriaError({ code: 'EMPTY', file, message });
}
