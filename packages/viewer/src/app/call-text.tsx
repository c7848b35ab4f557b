import { isObject } from '@agent-criteria/formats';
import { visible } from './format.ts';
import { JsonTree } from './json-tree.tsx';
import { LongText } from './long-text.tsx';

/** A request to a model: instructions, messages and settings. Requests to other services are shown unchanged. */
export function RequestText({ text }: { readonly text: string }) {
  const request = parse(text);
  if (!isObject(request) || !Array.isArray(request.messages)) return <CallText text={text} />;
  const { system, messages, ...settings } = request;
  return (
    <>
      {typeof system === 'string' && <Spoken by="system" text={system} />}
      {messages.map((message: unknown, place) => {
        const said = isObject(message) ? textOf(message.parts) : null;
        const by = isObject(message) && typeof message.role === 'string' ? message.role : 'message';
        return said === null ? (
          <JsonTree key={place} name={by} value={message} />
        ) : (
          <Spoken key={place} by={by} text={said} />
        );
      })}
      {Object.keys(settings).length > 0 && <JsonTree name="settings" value={settings} />}
    </>
  );
}

/** An answer: text or JSON. */
export function CallText({ text }: { readonly text: string }) {
  const value = parse(text);
  if (value === undefined || typeof value === 'string') return <Text text={value ?? text} />;
  return <JsonTree value={value} open />;
}

function Spoken({ by, text }: { readonly by: string; readonly text: string }) {
  return (
    <section>
      <h5>{visible(by)}</h5>
      <Text text={text} />
    </section>
  );
}

function Text({ text }: { readonly text: string }) {
  return (
    <div class="text code" dir="auto">
      <LongText text={visible(text)} />
    </div>
  );
}

/** Joins the text of the parts. Returns `null` if any part is not just text. */
function textOf(parts: unknown): string | null {
  if (!Array.isArray(parts)) return null;
  const texts = parts.map((part: unknown) =>
    isObject(part) && Object.keys(part).length === 1 && typeof part.text === 'string' ? part.text : null,
  );
  return texts.every((text) => text !== null) ? texts.join('') : null;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
