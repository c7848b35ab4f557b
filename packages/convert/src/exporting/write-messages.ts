import { type Content, type FunctionCall, type Invocation, isInvocationEvents, type Part } from '@agent-criteria/core';
import { fieldOf } from '@agent-criteria/formats/schema';
import { objectsIn } from '../fields.ts';
import { toolAnswerText } from '../messages/tool-answer.ts';

type Message = Readonly<Record<string, unknown>>;
type OnLoss = (what: string) => void;

/**
 * Writes turns as messages of OpenAI's chat completions. Thoughts are `reasoning_content`, as many servers write them.
 *
 * @param onLoss Called for content that such messages cannot express.
 */
export function writeMessages(turns: readonly Invocation[], onLoss: OnLoss): readonly Message[] {
  const messages: Message[] = [];
  const instructions = instructionsOf(turns[0]);
  if (instructions !== '') messages.push({ role: 'system', content: instructions });
  let unnamed = 0;
  /** The ids of calls without one, in order by tool. */
  const given = new Map<string, string[]>();
  const idOf = (call: FunctionCall): string => {
    if (typeof call.id === 'string' && call.id !== '') return call.id;
    const id = `call_${++unnamed}`;
    const name = call.name ?? '';
    given.set(name, [...(given.get(name) ?? []), id]);
    return id;
  };
  for (const [index, turn] of turns.entries()) {
    messages.push({ role: 'user', content: contentOf(turn.userContent.parts ?? [], onLoss) });
    const before = messages.length;
    for (const parts of stepsOf(turn, onLoss)) {
      const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
      const responses = parts.flatMap(({ functionResponse }) => functionResponse ?? []);
      const said = parts.filter((part) => !part.functionCall && !part.functionResponse);
      if (calls.length > 0 || said.length > 0) {
        messages.push({
          ...reply(said, onLoss),
          ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => toolCall(call, idOf(call))) }),
        });
      }
      for (const { id, name, response } of responses) {
        const own = id || given.get(name ?? '')?.shift();
        const named = name ? { name } : {};
        const content = toolAnswerText(response ?? {});
        messages.push({ role: 'tool', ...(own === undefined ? {} : { tool_call_id: own }), ...named, content });
      }
    }
    if (turn.finalResponse?.parts?.length) messages.push(reply(turn.finalResponse.parts, onLoss));
    // Without an answer between them, two messages of the user would be one turn.
    else if (messages.length === before && index < turns.length - 1)
      messages.push({ role: 'assistant', content: null });
  }
  return messages;
}

function instructionsOf(turn: Invocation | undefined): string {
  const agents = Object.values(turn?.appDetails?.agentDetails ?? {});
  return agents.flatMap(({ instructions }) => instructions ?? []).join('\n\n');
}

/** Lists the declarations of the tools, in the form of OpenAI. */
export function toolsOf(turns: readonly Invocation[]): readonly Message[] {
  const agents = Object.values(turns[0]?.appDetails?.agentDetails ?? {});
  const declared = declarationsIn(agents.flatMap(({ toolDeclarations = [] }) => toolDeclarations));
  return declared.map((tool) => ({ type: 'function', function: tool }));
}

/** Unpacks Gemini's lists of declarations. */
export function declarationsIn(tools: readonly unknown[]): readonly Message[] {
  return objectsIn(tools).flatMap((tool) => objectsIn(fieldOf(tool, 'function_declarations') ?? [tool]));
}

/** Lists the steps of a turn, each as the parts of one message. */
function stepsOf({ intermediateData: data }: Invocation, onLoss: OnLoss): readonly (readonly Part[])[] {
  if (!data) return [];
  if (!isInvocationEvents(data)) {
    const responses = (data.toolResponses ?? []).map((functionResponse): Part => ({ functionResponse }));
    const texts = (data.intermediateResponses ?? []).map(([, parts]) => parts);
    const calls = (data.toolUses ?? []).map((functionCall): Part => ({ functionCall }));
    return [...texts, [...calls], [...responses]].filter((parts) => parts.length > 0);
  }
  return (data.invocationEvents ?? []).flatMap(({ content, usageMetadata, groundingMetadata }) => {
    if (usageMetadata !== undefined && usageMetadata !== null) onLoss('token counts of calls to models, left out');
    if (groundingMetadata !== undefined && groundingMetadata !== null) onLoss('grounding of answers, left out');
    return content?.parts?.length ? [content.parts] : [];
  });
}

function toolCall({ name, args }: FunctionCall, id: string): Message {
  return { id, type: 'function', function: { name: name ?? '', ...(args ? { arguments: JSON.stringify(args) } : {}) } };
}

function reply(parts: readonly Part[], onLoss: OnLoss): Message {
  const thoughts = parts.flatMap(({ text, thought }) => (thought === true && text ? [text] : []));
  const said = parts.filter(({ thought }) => thought !== true);
  return {
    role: 'assistant',
    content: said.length === 0 ? null : contentOf(said, onLoss),
    ...(thoughts.length === 0 ? {} : { reasoning_content: thoughts.join('\n') }),
  };
}

/** Writes a content: a text where it is only one, otherwise a list of parts. */
function contentOf(parts: NonNullable<Content['parts']>, onLoss: OnLoss): string | readonly Message[] {
  const written = parts.flatMap((part) => partOf(part, onLoss));
  const [only] = written;
  return written.length === 1 && typeof only?.text === 'string' ? only.text : written;
}

function partOf(part: Part, onLoss: OnLoss): readonly Message[] {
  const { text, inlineData, fileData } = part;
  if (typeof text === 'string') return text === '' ? [] : [{ type: 'text', text }];
  if (inlineData?.data) {
    const { mimeType, data, displayName } = inlineData;
    const url = `data:${mimeType ?? 'application/octet-stream'};base64,${data}`;
    if (mimeType?.startsWith('image/') && !displayName) return [{ type: 'image_url', image_url: { url } }];
    return [{ type: 'file', file: { ...(displayName ? { filename: displayName } : {}), file_data: url } }];
  }
  if (fileData?.fileUri) {
    const { fileUri: url, mimeType } = fileData;
    if (mimeType) onLoss('media types of files that are given by a URL, left out');
    return [{ type: 'image_url', image_url: { url } }];
  }
  onLoss('parts of messages that are neither texts nor files, left out');
  return [];
}
