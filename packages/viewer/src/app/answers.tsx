import { type Content, contentText } from '@agent-criteria/core';
import { useState } from 'preact/hooks';
import { seemsMarkdown } from '../seems-markdown.ts';
import { diffWords } from '../word-diff.ts';
import { RawSwitch } from './answer-form.tsx';
import { type EventLink, StepButton, tiedTo } from './event-link.tsx';
import { TextBlock } from './long-text.tsx';
import { CopyText, Message } from './message.tsx';

/**
 * The expected answer next to the actual one, with differing words marked. A side is `undefined` if it has no such
 * turn.
 */
export function Answers(props: {
  readonly expected: Content | null | undefined;
  readonly actual: Content | null | undefined;
  readonly hasReference: boolean;
  readonly happened: boolean;
  readonly link?: EventLink | undefined;
  /** Ids of the events that make up the actual answer. */
  readonly events?: readonly string[];
}) {
  const { expected, actual, hasReference, happened, link, events = [] } = props;
  const [isMarked, setMarked] = useState(true);
  const tied = tiedTo(link, events);
  const [wanted, given] = [contentText(expected), contentText(actual)];
  const same = wanted !== '' && wanted === given;
  const differing = wanted !== '' && given !== '' && !same ? diffWords(wanted, given) : null;
  const diff = isMarked ? differing : null;
  const form = (text: string, of: string) => (diff === null ? <RawSwitch texts={[text]} of={of} /> : null);
  const actualSide = (
    <section class={`side-text actual${tied.class}`} {...tied.props}>
      <h4>
        {same ? 'Answer: word for word as expected' : 'Actual answer'} {form(given, 'the actual answer')}
        {differing !== null && seemsMarkdown(wanted + given) && (
          <button
            type="button"
            class="quiet raw-switch"
            aria-pressed={isMarked}
            title="Marks the words that differ, in the text as it was written"
            onClick={() => setMarked(!isMarked)}
          >
            Differences
          </button>
        )}
        <CopyText of="actual answer" content={actual} />
        <StepButton link={link} events={events} of="this answer" />
      </h4>
      {diff === null ? (
        <Message content={actual} isAnswer />
      ) : (
        <>
          <Message content={{ parts: (actual?.parts ?? []).filter(({ thought }) => thought === true) }} isAnswer />
          <TextBlock text={given} pieces={diff.after} as="ins" />
          <Message content={{ parts: (actual?.parts ?? []).filter(({ text }) => !text) }} />
        </>
      )}
      {given === '' && <p class="nothing">{happened ? 'The agent gave no answer.' : 'This turn did not happen.'}</p>}
    </section>
  );
  if (!hasReference || same) return actualSide;
  return (
    <div class="columns">
      <section class="side-text expected">
        <h4>
          Expected answer {form(wanted, 'the expected answer')}
          <CopyText of="expected answer" content={expected} />
        </h4>
        {wanted === '' && <p class="nothing">None is given.</p>}
        {diff === null ? (
          <Message content={expected} isAnswer />
        ) : (
          <TextBlock text={wanted} pieces={diff.before} as="del" />
        )}
      </section>
      {actualSide}
    </div>
  );
}
