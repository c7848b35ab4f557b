import type { EvalCase, SessionInput } from '@agent-criteria/core';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../button.tsx';
import { Field, JsonField, Radio } from '../field.tsx';
import { RubricsForm } from '../rubrics-form.tsx';
import { type Fields, writeKey } from '../spelling.ts';
import { TAGS_HINT } from '../tags.ts';
import { addTurn, changeTurn, removeTurn, withKey, without, withTags } from './case-draft.ts';
import { ENVIRONMENT_KEYS, EnvironmentForm } from './environment-form.tsx';
import { ScenarioForm } from './scenario-form.tsx';
import { TurnForm } from './turn-form.tsx';

/** A form for a case. Fields without an input keep their values. */
export function CaseForm(props: {
  readonly value: EvalCase;
  readonly app: string;
  /** @param field Consecutive edits to one field form a single undo step; `''` is always a separate step. */
  change(field: string, value: EvalCase): void;
}) {
  const { value, app, change } = props;
  const named = value as EvalCase & { readonly name?: unknown };
  const { conversation, conversationScenario: scenario, rubrics, finalSessionState } = value;
  const own: Fields = value.agentCriteria ?? {};
  const set = (field: string, key: keyof EvalCase, next: unknown) => change(field, withKey(value, key, next));
  const setOwn = (field: string, next: Fields) =>
    set(field, 'agentCriteria', Object.keys(next).length === 0 ? undefined : next);
  const options = [...ENVIRONMENT_KEYS, 'tags'].reduce((rest, key) => writeKey(rest, key, undefined), own);
  return (
    <>
      <div class="options">
        <Field label="Id" value={value.evalId} change={(evalId) => change('id', { ...value, evalId })} required />
        <Field
          label="Name"
          hint="For people. It may be left out."
          value={typeof named.name === 'string' ? named.name : ''}
          change={(name) => set('name', 'name' as keyof EvalCase, name === '' ? undefined : name)}
        />
        <Tags value={value} change={(next) => change('tags', next)} />
      </div>
      <fieldset class="led">
        <legend>Who leads the conversation</legend>
        <Radio
          name="led"
          checked={!scenario}
          choose={() => change('', addTurn(without(value, 'conversationScenario')))}
        >
          These messages
        </Radio>
        <Radio
          name="led"
          checked={Boolean(scenario)}
          choose={() => {
            const startingPrompt = conversation?.[0]?.userContent.parts?.find(({ text }) => text)?.text ?? '';
            const conversationScenario = { startingPrompt, conversationPlan: '' };
            change('', { ...without(value, 'conversation'), conversationScenario });
          }}
        >
          A simulated user, by a plan
        </Radio>
      </fieldset>
      {scenario ? (
        <ScenarioForm
          scenario={scenario}
          change={(field, next) => change(field, { ...value, conversationScenario: next })}
        />
      ) : (
        <section aria-label="Conversation">
          <h2 class="unseen">Conversation</h2>
          {conversation?.map((turn, at) => (
            <TurnForm
              key={at}
              turn={turn}
              at={at}
              author={value.sessionInput?.appName ?? app}
              alone={conversation.length === 1}
              change={(field, next) =>
                change(
                  field === '' ? '' : `${field} ${at}`,
                  changeTurn(value, at, () => next),
                )
              }
              remove={() => change('', removeTurn(value, at))}
            />
          ))}
          <Button text="Add a turn" class="add-turn" onClick={() => change('', addTurn(value))} />
        </section>
      )}
      <section class="card">
        <h2>Where it starts</h2>
        <SessionFields
          app={app}
          value={value.sessionInput ?? undefined}
          change={(next) => set('session', 'sessionInput', next)}
        />
      </section>
      <section class="card">
        <h2>What it is judged by</h2>
        <RubricsForm
          title="Rubrics of the case"
          note="They apply to every turn, for criteria that judge by rubrics."
          spelling="camel"
          value={rubrics}
          change={(next) => set('rubrics', 'rubrics', next)}
        />
        <JsonField
          label="Expected final state"
          hint="Of the session, after the last turn. Empty: nothing is expected"
          kind="object"
          value={finalSessionState}
          change={(next) => set('final', 'finalSessionState', next)}
        />
        <JsonField
          label="Options of criteria, for this case only"
          hint="By the name of a criterion"
          kind="object"
          value={Object.keys(options).length === 0 ? undefined : options}
          change={(next) => {
            const kept = Object.entries(own).filter(([key]) => !Object.hasOwn(options, key));
            setOwn('options', { ...(next as Fields | undefined), ...Object.fromEntries(kept) });
          }}
        />
      </section>
      <section class="card">
        <h2>Tools</h2>
        <EnvironmentForm value={own} change={(next) => setOwn('stubs', next)} />
      </section>
    </>
  );
}

function Tags({ value, change }: { readonly value: EvalCase; change(value: EvalCase): void }) {
  const written = Array.isArray(value.agentCriteria?.tags) ? value.agentCriteria.tags.join(', ') : '';
  const [text, setText] = useState(written);
  const known = useRef(written);
  useEffect(() => {
    if (written === known.current) return;
    known.current = written;
    setText(written);
  }, [written]);
  return (
    <Field
      label="Tags"
      hint={TAGS_HINT}
      value={text}
      change={(next) => {
        setText(next);
        const changed = withTags(value, next);
        const tags = changed.agentCriteria?.tags;
        known.current = Array.isArray(tags) ? tags.join(', ') : '';
        change(changed);
      }}
    />
  );
}

/** The session input of a case, which is created as soon as one of its fields is set. */
function SessionFields(props: {
  readonly app: string;
  readonly value: SessionInput | undefined;
  change(value: SessionInput | undefined): void;
}) {
  const { value, app } = props;
  const put = (key: keyof SessionInput, next: unknown) => {
    const before: SessionInput = value ?? { appName: app, userId: 'user' };
    props.change(withKey(before, key, next));
  };
  return (
    <>
      <div class="options">
        <Field
          label="App"
          hint={value === undefined ? 'Empty: a session without a state.' : undefined}
          value={value?.appName ?? ''}
          change={(text) => put('appName', text)}
        />
        <Field label="User id" value={value?.userId ?? ''} change={(text) => put('userId', text)} />
        <Field
          label="Session id"
          hint="Empty: a new one."
          value={value?.sessionId ?? ''}
          change={(text) => put('sessionId', text === '' ? undefined : text)}
        />
      </div>
      <JsonField
        label="State at the beginning"
        kind="object"
        value={value?.state}
        change={(state) => put('state', state)}
      />
      {value !== undefined && (
        <Button text="Start from nothing" class="quiet" onClick={() => props.change(undefined)} />
      )}
    </>
  );
}
