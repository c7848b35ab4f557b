import type { Content, Invocation } from '@agent-criteria/core';
import { count } from '@agent-criteria/viewer/views';
import { Button } from '../button.tsx';
import { ContentFiles } from '../content-files.tsx';
import { drawNow } from '../draw-now.ts';
import { Field } from '../field.tsx';
import { RubricsForm } from '../rubrics-form.tsx';
import { textOf, withKey, without, withText } from './case-draft.ts';
import { stepsOf } from './steps.ts';
import { StepsForm } from './steps-form.tsx';

/** Edits a turn of a fixed conversation: the user's message and the expected steps and answer. */
export function TurnForm(props: {
  readonly turn: Invocation;
  readonly at: number;
  readonly alone: boolean;
  /** Name of the agent, used as the author of new texts. */
  readonly author: string;
  /** @param field Consecutive edits to one field form a single undo step. */
  change(field: string, turn: Invocation): void;
  remove(): void;
}) {
  const { turn, at, author, change } = props;
  const { rubrics, finalResponse } = turn;
  const step = (next: Invocation) => change('', next);
  const steps = { turn, author, change: (next: Invocation) => change('steps', next) };
  const results = stepsOf(turn).filter(({ step: { kind } }) => kind === 'result').length;
  const more = [
    (rubrics?.length ?? 0) > 0 ? count(rubrics?.length ?? 0, 'rubric') : '',
    results > 0 ? count(results, 'result') : '',
    turn.invocationId ? 'id' : '',
  ].filter((one) => one !== '');
  return (
    <section class="card turn-form" aria-label={`Turn ${at + 1}`}>
      <div class="choice-head">
        <h3>Turn {at + 1}</h3>
        <Button
          text="Delete"
          unseen={` turn ${at + 1}`}
          class="quiet"
          disabled={props.alone}
          title={props.alone ? 'A conversation has at least one turn' : undefined}
          onClick={(event) => {
            const next = event.currentTarget.closest('section')?.parentElement;
            drawNow(props.remove);
            next?.querySelector<HTMLElement>('.add-turn')?.focus();
          }}
        />
      </div>
      <Message
        label="User"
        content={turn.userContent}
        lines={2}
        change={(text) => change('user', { ...turn, userContent: withText(turn.userContent, text, 'user') })}
        changeFiles={(userContent) => step({ ...turn, userContent })}
      />
      <StepsForm kind="call" {...steps} />
      <StepsForm kind="text" {...steps} />
      {finalResponse ? (
        <div class="removable">
          <Message
            label="Expected answer"
            content={finalResponse}
            lines={3}
            change={(text) => change('answer', { ...turn, finalResponse: withText(finalResponse, text, 'model') })}
            changeFiles={(next) => step({ ...turn, finalResponse: next })}
          />
          <Button
            text="×"
            class="quiet"
            aria-label={`Delete the expected answer of turn ${at + 1}`}
            title="Delete the expected answer"
            onClick={() => step(without(turn, 'finalResponse'))}
          />
        </div>
      ) : (
        <p class="note">
          No answer is expected: criteria that compare answers do not apply.{' '}
          <Button
            text="Expect an answer"
            class="quiet"
            onClick={() => step({ ...turn, finalResponse: withText(null, '', 'model') })}
          />
        </p>
      )}
      <details>
        <summary>
          Rubrics, tool results, invocation id <small>{more.length === 0 ? 'none' : more.join(', ')}</small>
        </summary>
        <RubricsForm
          title="Rubrics of this turn"
          level={4}
          spelling="camel"
          value={rubrics}
          change={(next) => change('rubrics', withKey(turn, 'rubrics', next))}
        />
        <StepsForm kind="result" {...steps} />
        <Field
          label="Invocation id"
          value={turn.invocationId ?? ''}
          mono
          change={(id) => change('id', withKey(turn, 'invocationId', id === '' ? undefined : id))}
        />
      </details>
    </section>
  );
}

/** Edits the first text part of a message, with its files and a note about its other parts. */
function Message(props: {
  readonly label: string;
  readonly content: Content;
  readonly lines: number;
  change(text: string): void;
  changeFiles(content: Content): void;
}) {
  const { content } = props;
  const parts = (content.parts ?? []).filter(({ inlineData }) => !inlineData);
  const others = parts.length - (parts.some(({ text }) => typeof text === 'string') ? 1 : 0);
  return (
    <>
      <Field
        label={props.label}
        lines={props.lines}
        hint={
          others > 0
            ? `${count(others, 'other part')} of this message, in the JSON, ${others === 1 ? 'stays' : 'stay'} as ${others === 1 ? 'it is' : 'they are'}.`
            : undefined
        }
        value={textOf(content)}
        change={props.change}
      />
      <ContentFiles content={content} change={props.changeFiles} />
    </>
  );
}
