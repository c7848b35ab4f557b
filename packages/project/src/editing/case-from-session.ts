import { type Invocation, type State, toolCalls } from '@agent-criteria/core';
import { agentFolder, appName } from '../files/agent-folder.ts';
import { readJsonFile } from '../files/read-json-file.ts';
import type { RecordedCase } from './case-from-run.ts';
import { readSession } from './read-session.ts';
import { referenceTurn } from './reference-turns.ts';

export interface CaseFromSessionOptions {
  /** A session file of ADK, as written by `adk run --save_session` and ADK's web page. */
  readonly file: string;
  /** The module or folder of the agent, whose name serves as the app name if the session has none. */
  readonly agent: string;
  /** The id of the case. Default: the session's id, else `session`. */
  readonly evalId?: string | undefined;
}

/**
 * Makes a case that expects the agent's behaviour in a session: messages, calls and answers. The initial state omits
 * keys that the conversation set.
 * @throws CriteriaError AGENT_NOT_FOUND, or with every mistake in the file.
 */
export async function caseFromSession({ file, agent, evalId }: CaseFromSessionOptions): Promise<RecordedCase> {
  const app = appName(await agentFolder(agent));
  const { value } = await readJsonFile(file);
  return caseOfSession({ session: value, source: file, app, evalId });
}

export interface CaseOfSessionOptions {
  /** An ADK session, with keys in either spelling. */
  readonly session: unknown;
  /** The name of the session in messages, such as its file name. */
  readonly source: string;
  /** The app name if the session has none. */
  readonly app: string;
  /** The id of the case. Default: the session's id, else `session`. */
  readonly evalId?: string | undefined;
  /** The initial state of the session. Default: its state without the keys that the conversation set. */
  readonly initialState?: State | undefined;
}

/**
 * Makes a case as `caseFromSession` does, from a session given as a value. @throws CriteriaError with every mistake in
 * it.
 */
export function caseOfSession({ session, source, app, evalId, initialState }: CaseOfSessionOptions): RecordedCase {
  const { id, turns, sessionInput, changedState, withoutUser } = readSession(session, source, app);
  const isGuessed = initialState === undefined;
  const left = withoutUser === 1 ? 'One invocation has' : `${withoutUser} invocations have`;
  return {
    evalCase: {
      evalId: evalId ?? id ?? 'session',
      conversation: turns.map(referenceTurn),
      sessionInput: isGuessed ? sessionInput : { ...sessionInput, state: initialState },
      creationTimestamp: Date.now() / 1000,
    },
    notes: [
      ...(withoutUser === 0 ? [] : [`${left} no user message and cannot be replayed: left out.`]),
      ...waitingNotes(turns),
      ...(changedState.length === 0 || !isGuessed
        ? []
        : [
            `Left out of the state, because the conversation itself set it: ${changedState.join(', ')}. If the case needs any of it at the start, add it under session_input.`,
          ]),
    ],
  };
}

/** Warns of turns in which a person had to confirm, sign in or answer, which fail in an evaluation. */
function waitingNotes(turns: readonly Invocation[]): readonly string[] {
  const isAsked = (turn: Invocation) => toolCalls(turn).some(({ name }) => name?.startsWith('adk_request_'));
  const asked = turns.flatMap((turn, index) => (isAsked(turn) ? [index + 1] : []));
  if (asked.length === 0) return [];
  const where = asked.length === 1 ? `turn ${asked[0]}` : `the turns ${asked.join(', ')}`;
  return [
    `The agent waited for a person in ${where}, and no one can answer in an evaluation: the case will fail there. Stub the tool that asks (agent_criteria.tool_simulation_configs), and remove the call of adk_request_… and the turn that answers it from the case.`,
  ];
}
