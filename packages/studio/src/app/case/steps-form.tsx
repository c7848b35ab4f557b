import type { FunctionCall, FunctionResponse, Invocation } from '@agent-criteria/core';
import { Entries } from '../entries.tsx';
import { Field, JsonField } from '../field.tsx';
import { withKey } from './case-draft.ts';
import { addStep, changeStep, type PlacedStep, removeStep, type Step, type StepKind, stepsOf } from './steps.ts';

const TITLES: Readonly<Record<StepKind, { title: string; one: string; add: string; note: string }>> = {
  call: {
    title: 'Expected tool calls',
    one: 'tool call',
    add: 'Add a call',
    note: 'None: criteria that compare calls expect that no tool is called.',
  },
  text: {
    title: 'Expected on the way',
    one: 'intermediate answer',
    add: 'Add an answer',
    note: 'What agents say before the final answer. It shows which path was taken.',
  },
  result: {
    title: 'Results of tools',
    one: 'result',
    add: 'Add a result',
    note: 'What tools answered when this was recorded. Criteria do not compare it.',
  },
};

/** Edits the expected steps of one kind in a turn. */
export function StepsForm(props: {
  readonly kind: StepKind;
  readonly turn: Invocation;
  /** Author of a newly added text. */
  readonly author: string;
  change(turn: Invocation): void;
}) {
  const { kind, turn, change } = props;
  const steps = stepsOf(turn).filter(({ step }) => step.kind === kind);
  return (
    <Entries<PlacedStep>
      {...TITLES[kind]}
      level={4}
      items={steps}
      append={() => change(addStep(turn, newStep(kind, steps.at(-1)?.step, props.author)))}
      remove={({ place }) => change(removeStep(turn, kind, place))}
      entry={({ step, place }) => <StepFields step={step} change={(next) => change(changeStep(turn, place, next))} />}
    />
  );
}

function StepFields({ step, change }: { readonly step: Step; change(step: Step): void }) {
  switch (step.kind) {
    case 'call':
      return <Named value={step.call} of="args" label="Arguments" change={(call) => change({ kind: 'call', call })} />;
    case 'result':
      return (
        <Named
          value={step.result}
          of="response"
          label="Result"
          change={(result) => change({ kind: 'result', result })}
        />
      );
    case 'text':
      return (
        <>
          <Field label="Agent" value={step.author} change={(author) => change({ ...step, author })} />
          <Field label="Says" lines={2} value={step.text} change={(text) => change({ ...step, text })} />
        </>
      );
  }
}

function Named<Value extends FunctionCall | FunctionResponse>(props: {
  readonly value: Value;
  /** The key that holds the data. */
  readonly of: keyof Value;
  readonly label: string;
  change(value: Value): void;
}) {
  const { value, of, label, change } = props;
  return (
    <>
      <div class="options">
        <Field label="Tool" value={value.name ?? ''} mono change={(name) => change(withKey(value, 'name', name))} />
        <Field
          label="Id of the call"
          value={value.id ?? ''}
          mono
          change={(id) => change(withKey(value, 'id', id === '' ? undefined : id))}
        />
      </div>
      <JsonField label={label} kind="object" value={value[of]} change={(data) => change(withKey(value, of, data))} />
    </>
  );
}

function newStep(kind: StepKind, last: Step | undefined, author: string): Step {
  if (kind === 'call') return { kind, call: { name: '', args: {} } };
  if (kind === 'result') return { kind, result: { name: '', response: {} } };
  return { kind, author: last?.kind === 'text' ? last.author : author, text: '' };
}
