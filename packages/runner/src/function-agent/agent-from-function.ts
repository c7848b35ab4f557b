import { untilAborted } from '@agent-criteria/calls';
import {
  type Agent,
  type AgentDescription,
  type AgentFunction,
  type AgentTurn,
  type AppDetails,
  type Content,
  CriteriaError,
  contentText,
  type Invocation,
  isInvocationEvents,
  type Json,
} from '@agent-criteria/core';
import type { FunctionSessionStart } from '@agent-criteria/core/host';
import { fileNames } from '@agent-criteria/formats';
import { appDetailsOf, toolDeclarations } from '@agent-criteria/formats/messages';
import { copyJson } from '../copy-json.ts';
import { readOutput } from './read-stream.ts';

/**
 * Creates an agent from a function. Each session gets its own copy of the initial state, which the function may modify.
 */
export function agentFromFunction(run: AgentFunction, name: string = run.name || 'agent'): Agent {
  const description = describe(run, name);
  const appDetails = appDetailsOf(description === null ? [] : [description]);
  const { supportsFiles: takesFiles = false } = run;
  if (typeof takesFiles !== 'boolean') throw mistaken(`supportsFiles of the agent "${name}" must be true or false`);
  return {
    name,
    supportsHistory: true,
    supportsFiles: takesFiles,
    ...(description === null ? {} : { describe: async () => description }),
    async open(start, signal) {
      const state = copyJson(start.state) as Record<string, Json>;
      const id = start.sessionId ?? `${start.key.caseId}-${start.key.repeat}`;
      // Drop turns that were stopped, as a live session does. Turns from a case's history have no events, and are kept.
      const earlier = (start.history ?? []).filter(
        ({ invocation, events }) => invocation.finalResponse || events === undefined,
      );
      const history: Invocation[] = earlier.map(({ invocation }) => copyJson(invocation));
      const begun: FunctionSessionStart = { id, userId: start.userId, key: start.key, state, locals: {}, signal };
      try {
        await run.open?.(begun);
      } catch (error) {
        try {
          await run.close?.(begun);
        } catch {
          // `close` fails easily on what `open` has left half done, and the error of `open` says why.
        }
        throw error;
      }
      let isClosed = false;
      return {
        id,
        async send(content, { signal: stop, onEvent } = {}) {
          if (!takesFiles) refuseFiles(content, name);
          const whole = stop === undefined ? signal : AbortSignal.any([signal, stop]);
          let isStreamed = false;
          const onPiece = (event: Json): void => {
            isStreamed = true;
            onEvent?.(event);
          };
          const running = async (): Promise<AgentTurn> => {
            const asked = { ...begun, signal: whole, history: [...history], content: copyJson(content) };
            const output = await run(contentText(content), asked);
            return readOutput(output, { content, name }, whole, onPiece);
          };
          // A function that ignores the signal keeps running during the next turn, and its result is discarded.
          const turn = await (stop === undefined ? running() : untilAborted(running, stop));
          const invocation = withDetails(turn.invocation, appDetails);
          history.push(invocation);
          // Pieces are followed by whole events, which replace them.
          if (isStreamed) for (const event of eventsOf(invocation, name)) onEvent?.(event);
          return { ...turn, invocation };
        },
        async state() {
          return { ...state };
        },
        async changeState(delta) {
          Object.assign(state, copyJson(delta));
        },
        async close() {
          if (isClosed) return;
          isClosed = true;
          await run.close?.(begun);
        },
      };
    },
  };
}

/** Reads what the function declares about itself. Returns `null` if it declares nothing. */
function describe({ description, instructions, tools }: AgentFunction, name: string): AgentDescription | null {
  if (description === undefined && instructions === undefined && tools === undefined) return null;
  for (const [key, text] of Object.entries({ description, instructions })) {
    if (text !== undefined && typeof text !== 'string') throw mistaken(`${key} of the agent "${name}" must be text`);
  }
  if (tools !== undefined && (typeof tools !== 'object' || tools === null)) {
    throw mistaken(`tools of the agent "${name}" must be a list of declarations, or an object of tools by name`);
  }
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...(instructions === undefined ? {} : { instructions }),
    ...(tools === undefined ? {} : { tools: toolDeclarations(tools) }),
  };
}

/** @throws CriteriaError AGENT_FAILED if the message has files, which a function of its text would lose. */
function refuseFiles(content: Content, name: string): void {
  const files = fileNames(content);
  if (files.length === 0) return;
  const which = files.map((file) => `"${file}"`).join(', ');
  const message = `the agent "${name}" takes only text, so it would lose the message's files (${which}): a function that reads them from session.content has the property supportsFiles = true`;
  throw new CriteriaError({ code: 'AGENT_FAILED', message });
}

function mistaken(message: string): CriteriaError {
  return new CriteriaError({ code: 'AGENT_NOT_FOUND', message });
}

function withDetails(invocation: Invocation, appDetails: AppDetails | null): Invocation {
  if (appDetails === null || invocation.appDetails !== undefined) return invocation;
  return { ...invocation, appDetails };
}

/** Lists the events of a turn as ADK would report them. */
function eventsOf({ intermediateData, finalResponse }: Invocation, author: string): readonly Json[] {
  const steps =
    intermediateData && isInvocationEvents(intermediateData) ? (intermediateData.invocationEvents ?? []) : [];
  const events = steps
    .filter(({ content }) => content)
    .map((event) => ({ author: event.author, content: event.content }));
  // The receiver of an event copies it, and rejects values that are not JSON.
  return [...events, ...(finalResponse ? [{ author, content: finalResponse }] : [])] as unknown as readonly Json[];
}
