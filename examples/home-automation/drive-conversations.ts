// What the tests share: sessions made by hand, and eval set files driven turn by turn, without the runner.
import { readFileSync } from 'node:fs';
import type { FunctionReply, FunctionSession, Json } from '@agent-criteria/cli';
import { rootAgent } from './agent.ts';

/** A session as the runner would open it. */
export function startSession(state: Record<string, Json> = {}): FunctionSession {
  return {
    id: 'session',
    userId: 'user',
    key: { setId: 'set', caseId: 'case', repeat: 0 },
    state,
    locals: {},
    history: [],
    content: { role: 'user', parts: [] },
    signal: new AbortController().signal,
  };
}

/** What the agent said and did in a turn. */
type WholeReply = {
  readonly [K in 'text' | 'toolCalls' | 'toolResponses']-?: NonNullable<FunctionReply[K]>;
};

/** One turn with the agent. */
export async function ask(session: FunctionSession, message: string): Promise<WholeReply> {
  const content = { role: 'user', parts: [{ text: message }] };
  const reply = rootAgent(message, { ...session, content });
  const { text, toolCalls = [], toolResponses = [] } = reply;
  return { text, toolCalls, toolResponses };
}

/** The eval set file, in the spelling of the file: only what driving it needs. */
interface EvalSetFile {
  eval_set_id: string;
  eval_cases: {
    eval_id: string;
    session_input: { app_name: string; user_id: string; state: Record<string, Json> };
    conversation: {
      user_content: MessageInFile;
      final_response: MessageInFile;
      intermediate_data: {
        tool_uses?: CallInFile[];
        invocation_events?: { content: MessageInFile }[];
      };
    }[];
  }[];
}

interface MessageInFile {
  parts: { text?: string; function_call?: CallInFile }[];
}

interface CallInFile {
  name: string;
  args: Record<string, Json>;
}

export interface DrivenTurn {
  readonly message: string;
  readonly expected: { readonly text: string; readonly toolCalls: readonly CallInFile[] };
  readonly actual: WholeReply;
}

export function readEvalSet(file: URL): EvalSetFile {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Sends every message of the case to the agent, in a session of its own. */
export async function drive(evalCase: EvalSetFile['eval_cases'][number]): Promise<DrivenTurn[]> {
  const session = startSession(structuredClone(evalCase.session_input.state));
  const turns: DrivenTurn[] = [];
  for (const { user_content, final_response, intermediate_data } of evalCase.conversation) {
    const message = textOf(user_content);
    const events = intermediate_data.invocation_events ?? [];
    const toolCalls =
      intermediate_data.tool_uses ??
      events.flatMap(({ content }) => content.parts.flatMap((part) => part.function_call ?? []));
    turns.push({
      message,
      expected: { text: textOf(final_response), toolCalls },
      actual: await ask(session, message),
    });
  }
  return turns;
}

function textOf(message: MessageInFile): string {
  return message.parts.map((part) => part.text ?? '').join('');
}
