import { type Content, contentText, type Part } from '@agent-criteria/core';
import { AnswerText } from './answer-text.tsx';
import { CopyButton } from './copy-button.tsx';
import { visible } from './format.ts';
import { Fold, JsonTree } from './json-tree.tsx';
import { TextBlock } from './long-text.tsx';
import { Media } from './media.tsx';

/**
 * The parts of a message, except tool calls, which are shown elsewhere.
 *
 * @param isAnswer Whether an agent wrote it, so that its Markdown is rendered. Default: it is shown as text.
 */
export function Message({
  content,
  isAnswer = false,
}: {
  readonly content: Content | null | undefined;
  readonly isAnswer?: boolean;
}) {
  const parts = (content?.parts ?? []).filter((part) => !part.functionCall && !part.functionResponse);
  return (
    <>
      {parts.map((part, place) => (
        <PartView key={place} part={part} isAnswer={isAnswer} />
      ))}
    </>
  );
}

/** A button that copies the text of a message, if it has any. */
export function CopyText({ of, content }: { readonly of: string; readonly content: Content | null | undefined }) {
  const text = contentText(content);
  return text === '' ? null : <CopyButton name="Copy" label={`Copy the ${of}`} class="beside" text={() => text} />;
}

export function PartView({ part, isAnswer }: { readonly part: Part; readonly isAnswer: boolean }) {
  if (typeof part.text === 'string' && part.text !== '') {
    if (part.thought === true) return <Thought text={part.text} />;
    return isAnswer ? <AnswerText text={part.text} /> : <TextBlock text={part.text} />;
  }
  if (part.inlineData) return <Media media={part.inlineData} />;
  if (part.fileData) {
    // Never rendered as a link, because this page must not send any requests.
    return (
      <div class="media">
        File <code>{visible(part.fileData.displayName ?? part.fileData.fileUri ?? '')}</code>{' '}
        {visible(part.fileData.mimeType ?? '')}
      </div>
    );
  }
  if (part.executableCode) return <pre class="code">{part.executableCode.code}</pre>;
  if (part.codeExecutionResult) return <pre class="code">{part.codeExecutionResult.output}</pre>;
  const { thoughtSignature: _opaque, ...rest } = part;
  return Object.keys(rest).length === 0 ? null : <JsonTree value={rest} />;
}

export function Thought({ text }: { readonly text: string }) {
  return (
    <Fold class="thought" summary={() => 'Thought: not part of the answer'}>
      {() => <AnswerText text={text} />}
    </Fold>
  );
}
