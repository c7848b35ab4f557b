import {
  AnswerText,
  count,
  Fold,
  formatBytes,
  JsonTree,
  LongText,
  preview,
  RawSwitch,
  Some,
  visible,
} from '@agent-criteria/viewer/views';
import type { MessagePart, ModelMessage, ModelRequest, ModelResponse, ModelTool } from './model-messages.ts';

/** The number of characters of an instruction or a message that are shown at first. */
const TEXT_FIRST = 1500;
/** The number of tools from which on their list is folded. */
const MANY_TOOLS = 12;

/** A request to a model: its instruction, tools, messages and settings, in this order. */
export function RequestView({ request }: { readonly request: ModelRequest }) {
  const { model, system, tools, messages, settings } = request;
  return (
    <div class="model-view">
      <p class="model-name">
        {model === null ? 'The request names no model' : <b dir="auto">{visible(model)}</b>}
        <RawSwitch texts={[system, ...textsOf(messages)]} of="the request" />
      </p>
      {system !== '' && (
        <Fold class="model-part" open summary={() => `System prompt, ${formatBytes(system.length)}`}>
          {() => <AnswerText text={system} most={TEXT_FIRST} />}
        </Fold>
      )}
      {tools.length > 0 && (
        <Fold class="model-part" open={tools.length < MANY_TOOLS} summary={() => count(tools.length, 'tool')}>
          {() => (
            <ul class="model-tools">
              <Some items={tools}>{(tool, place) => <Tool key={place} tool={tool} />}</Some>
            </ul>
          )}
        </Fold>
      )}
      <Messages messages={messages} />
      <Facts name="Settings" values={settings} />
    </div>
  );
}

/** The response of a model. */
export function ResponseView({ response }: { readonly response: ModelResponse }) {
  return (
    <div class="model-view">
      <p class="model-name">
        <RawSwitch texts={textsOf(response.messages)} of="the response" />
      </p>
      <Messages messages={response.messages} />
      <Facts name="More about the response" values={response.facts} />
    </div>
  );
}

function textsOf(messages: readonly ModelMessage[]): readonly string[] {
  return messages.flatMap(({ parts }) => parts.flatMap((part) => ('text' in part ? [part.text] : [])));
}

function Tool({ tool: { name, description, parameters } }: { readonly tool: ModelTool }) {
  return (
    <li>
      <b>
        <code>{visible(name)}</code>
      </b>
      {description !== '' && (
        <p dir="auto">
          <LongText text={description} most={400} />
        </p>
      )}
      {parameters !== undefined && <JsonTree name="parameters" value={parameters} />}
    </li>
  );
}

function Messages({ messages }: { readonly messages: readonly ModelMessage[] }) {
  return (
    <ol class="model-messages">
      <Some items={messages} step={100}>
        {({ role, parts }, place) => (
          <li key={place} class={role === 'user' ? 'of-user' : ''}>
            <p class="role">
              <bdi>{visible(role)}</bdi>
            </p>
            {parts.length === 0 && <p class="nothing">Nothing that can be shown.</p>}
            {parts.map((part, at) => (
              <Part key={at} part={part} isUser={role === 'user'} />
            ))}
          </li>
        )}
      </Some>
    </ol>
  );
}

function Part({ part, isUser }: { readonly part: MessagePart; readonly isUser: boolean }) {
  switch (part.kind) {
    case 'text':
      return isUser ? (
        <p class="said" dir="auto">
          <LongText text={part.text} most={TEXT_FIRST} />
        </p>
      ) : (
        <AnswerText text={part.text} most={TEXT_FIRST} />
      );
    case 'thought':
      return <Fold summary={() => 'Thought'}>{() => <AnswerText text={part.text} most={TEXT_FIRST} />}</Fold>;
    case 'media':
      return (
        <p class="note" dir="auto">
          {visible(part.name.slice(0, 300))}
          {part.bytes !== null && `, ${formatBytes(part.bytes)}`}
        </p>
      );
    default:
      return (
        <Fold
          summary={(open) => (
            <>
              <span class="kind">{part.kind === 'other' ? 'part' : part.kind}</span> <bdi>{visible(part.name)}</bdi>
              {!open && <span class="preview"> {preview(part.value)}</span>}
            </>
          )}
        >
          {() => <JsonTree value={part.value} open />}
        </Fold>
      );
  }
}

/** Plain values in words, and the others as JSON. */
function Facts({ name, values }: { readonly name: string; readonly values: Readonly<Record<string, unknown>> }) {
  if (Object.keys(values).length === 0) return null;
  return (
    <Fold
      class="model-part"
      summary={(open) => (
        <>
          {name}
          {!open && <span class="preview"> {preview(values)}</span>}
        </>
      )}
    >
      {() => Object.entries(values).map(([key, value]) => <JsonTree key={key} name={key} value={value} />)}
    </Fold>
  );
}
