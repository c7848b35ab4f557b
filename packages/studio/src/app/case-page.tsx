import type { EvalCase, Invocation } from '@agent-criteria/core';
import { count, JsonChanges, visible } from '@agent-criteria/viewer/views';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CaseVersion } from '../api.ts';
import { ask, isLostUpdate, messageOf, path } from './api-client.ts';
import { addTurn, changeTurn, type Draft, edit, removeTurn, textOf, undo, withTags, withText } from './case-draft.ts';
import { Field } from './field.tsx';
import type { JsonEditor } from './json-editor.ts';
import { JsonField } from './options-form.tsx';
import { formatRoute, type Route } from './route.ts';
import { go } from './router.ts';
import { loadSets, sets } from './store.ts';
import { complain, notify } from './toasts.tsx';
import { View } from './view.tsx';

type CaseRoute = Extract<Route, { view: 'case' }>;

/** A case as a form and as JSON, which are two views of one draft. */
export function CasePage({ route }: { readonly route: CaseRoute }) {
  const { app, set, id, pane } = route;
  const [saved, setSaved] = useState<CaseVersion | null>(null);
  const [draft, setDraft] = useState<Draft | null>(null);
  const [problem, setProblem] = useState<string>();
  const [slip, setSlip] = useState<string>();
  const [theirs, setTheirs] = useState<CaseVersion | null>(null);
  // Fields that hold JSON begin again when something else than themselves has changed the draft.
  const [round, setRound] = useState(0);
  const at = path('apps', app, 'sets', set, 'cases', id);
  const listed = sets.value.get(app);
  const editable = listed?.state === 'there' && (listed.value.find((one) => one.id === set)?.editable ?? false);

  const take = (one: CaseVersion) => {
    setSaved(one);
    setDraft({ value: one.evalCase, before: [], field: '' });
    setTheirs(null);
    setProblem(undefined);
    setSlip(undefined);
    setRound((now) => now + 1);
  };
  useEffect(() => {
    setDraft(null);
    ask<CaseVersion>('GET', at).then(take, (error) => setProblem(messageOf(error)));
  }, [at]);

  const isChanged = draft !== null && JSON.stringify(draft.value) !== JSON.stringify(saved?.evalCase);
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isChanged]);

  const change = (field: string, value: EvalCase) => setDraft((now) => now && edit(now, field, value));
  const back = () => {
    setDraft((now) => now && undo(now));
    setSlip(undefined);
    setRound((now) => now + 1);
  };
  const save = async (version: string | undefined) => {
    if (draft === null || version === undefined) return;
    try {
      const next = await ask<CaseVersion>('PUT', at, { body: draft.value, version });
      take(next);
      notify(`Saved “${visible(next.evalCase.evalId)}”.`);
      await loadSets(app);
      if (next.evalCase.evalId !== id) go({ ...route, id: next.evalCase.evalId }, 'instead');
    } catch (error) {
      if (isLostUpdate<EvalCase>(error)) setTheirs({ evalCase: error.body.theirs, version: error.body.version });
      else setProblem(messageOf(error));
    }
  };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 's') return;
      event.preventDefault();
      if (isChanged && slip === undefined) void save(saved?.version);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
  const remove = async () => {
    try {
      await ask('DELETE', at, { version: saved?.version });
      const last = saved?.evalCase;
      const again = () =>
        void ask('POST', path('apps', app, 'sets', set, 'cases'), { body: last }).then(
          () => void loadSets(app).then(() => go(route)),
          complain,
        );
      notify(`Deleted “${visible(id)}”.`, { name: 'Undo', run: again });
      go({ view: 'set', app, set, search: '' });
      await loadSets(app);
    } catch (error) {
      complain(error);
    }
  };
  return (
    <View
      title={visible(id)}
      above={
        <>
          <a href={formatRoute({ view: 'app', app })}>{visible(app)}</a> /{' '}
          <a href={formatRoute({ view: 'set', app, set, search: '' })}>{visible(set)}</a>
        </>
      }
      actions={
        draft !== null && (
          <>
            <button type="button" disabled={draft.before.length === 0} onClick={back}>
              Undo
            </button>
            <a href={formatRoute({ view: 'run-dialog', app, set, cases: [id] })}>Run…</a>
            <button type="button" class="danger" disabled={!editable} onClick={() => void remove()}>
              Delete
            </button>
            <button
              type="button"
              class="main"
              disabled={!isChanged || slip !== undefined || !editable}
              onClick={() => void save(saved?.version)}
            >
              Save
            </button>
          </>
        )
      }
    >
      {!editable && listed?.state === 'there' && (
        <p class="note">This set can be shown and run, but not edited here.</p>
      )}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {theirs !== null && draft !== null && (
        <section class="banner error conflict" role="alert">
          <p>
            <b>Somebody else has saved this case meanwhile.</b> Nothing of yours was saved. Theirs, against yours:
          </p>
          <JsonChanges before={theirs.evalCase} after={draft.value} name="case" />
          <div class="buttons">
            <button type="button" onClick={() => take(theirs)}>
              Take theirs, drop mine
            </button>
            <button type="button" class="danger" onClick={() => void save(theirs.version)}>
              Save mine over theirs
            </button>
          </div>
        </section>
      )}
      {draft !== null && (
        <>
          <nav class="tabs panes" aria-label="How it is edited">
            {(['form', 'json'] as const).map((one) => (
              <a key={one} href={formatRoute({ ...route, pane: one })} aria-current={pane === one ? 'page' : undefined}>
                {one === 'form' ? 'Form' : 'JSON'}
              </a>
            ))}
            <span class="note" role="status">
              {slip !== undefined ? 'Not JSON yet: the form shows what it was.' : isChanged ? 'Not saved yet' : 'Saved'}
            </span>
          </nav>
          {pane === 'json' ? (
            <JsonPane
              value={draft.value}
              readOnly={!editable}
              slip={setSlip}
              change={(value) => change('json', value)}
            />
          ) : (
            <fieldset class="case-form" disabled={!editable}>
              <legend class="unseen">The case</legend>
              <Form key={round} value={draft.value} change={change} again={() => setRound((now) => now + 1)} />
            </fieldset>
          )}
        </>
      )}
    </View>
  );
}

interface FormProps {
  readonly value: EvalCase;
  change(field: string, value: EvalCase): void;
  /** Turns have moved: fields begin again. */
  again(): void;
}

function Form({ value, change, again }: FormProps) {
  const named = value as EvalCase & { readonly name?: unknown };
  const { conversation, conversationScenario: scenario, rubrics, sessionInput, finalSessionState } = value;
  const tags = Array.isArray(value.agentCriteria?.tags) ? value.agentCriteria.tags.join(', ') : '';
  const json = (key: keyof EvalCase) => (next: unknown) => {
    const { [key]: _, ...others } = value;
    change(key, (next === undefined ? others : { ...others, [key]: next }) as EvalCase);
  };
  return (
    <>
      <div class="options">
        <Field label="Id" value={value.evalId} change={(evalId) => change('id', { ...value, evalId })} required />
        <Field
          label="Name"
          value={typeof named.name === 'string' ? named.name : ''}
          change={(name) => {
            const { name: _, ...others } = named;
            change('name', (name === '' ? others : { ...others, name }) as EvalCase);
          }}
        />
        <Tags written={tags} change={(next) => change('tags', withTags(value, next))} />
      </div>
      {scenario ? (
        <section>
          <h2>Scenario</h2>
          <Field
            label="Starting prompt"
            value={scenario.startingPrompt}
            lines={2}
            change={(startingPrompt) =>
              change('prompt', { ...value, conversationScenario: { ...scenario, startingPrompt } })
            }
          />
          <Field
            label="Plan"
            value={scenario.conversationPlan}
            lines={5}
            change={(conversationPlan) =>
              change('plan', { ...value, conversationScenario: { ...scenario, conversationPlan } })
            }
          />
          <JsonField
            label="The whole scenario, with its persona"
            value={scenario}
            lines={6}
            change={json('conversationScenario')}
          />
        </section>
      ) : (
        <section>
          <h2>Conversation</h2>
          {conversation?.map((turn, at) => (
            <TurnForm
              key={turn.invocationId ?? at}
              turn={turn}
              at={at}
              alone={conversation.length === 1}
              change={(field, next) =>
                change(
                  `${field} ${at}`,
                  changeTurn(value, at, () => next),
                )
              }
              remove={() => {
                change('', removeTurn(value, at));
                again();
              }}
            />
          ))}
          <button type="button" onClick={() => change('', addTurn(value))}>
            Add a turn
          </button>
        </section>
      )}
      <section>
        <h2>Given</h2>
        <div class="options">
          <JsonField
            label="Session"
            hint="app_name, user_id and the state at the beginning"
            value={sessionInput ?? undefined}
            lines={6}
            change={json('sessionInput')}
          />
          <JsonField label="Rubrics of the case" value={rubrics ?? undefined} lines={6} change={json('rubrics')} />
          <JsonField
            label="Expected final state"
            value={finalSessionState ?? undefined}
            lines={6}
            change={json('finalSessionState')}
          />
          <JsonField
            label="agent_criteria"
            hint="Tags, options of criteria for this case, stubs of tools"
            value={value.agentCriteria}
            lines={6}
            change={json('agentCriteria')}
          />
        </div>
      </section>
    </>
  );
}

function Tags({ written, change }: { readonly written: string; change(written: string): void }) {
  const [text, setText] = useState(written);
  return (
    <Field
      label="Tags"
      hint="With commas between them"
      value={text}
      change={(next) => {
        setText(next);
        change(next);
      }}
    />
  );
}

function TurnForm(props: {
  readonly turn: Invocation;
  readonly at: number;
  readonly alone: boolean;
  change(field: string, turn: Invocation): void;
  remove(): void;
}) {
  const { turn, at, change } = props;
  const { intermediateData, rubrics } = turn;
  const withoutKey = (key: keyof Invocation, next: unknown): Invocation => {
    const { [key]: _, ...others } = turn;
    return (next === undefined ? others : { ...others, [key]: next }) as Invocation;
  };
  const more = [intermediateData, rubrics].filter((one) => one !== null && one !== undefined).length;
  return (
    <section class="card turn-form" aria-label={`Turn ${at + 1}`}>
      <div class="choice-head">
        <h3>Turn {at + 1}</h3>
        <button type="button" class="quiet" disabled={props.alone} onClick={props.remove}>
          Delete<span class="unseen"> turn {at + 1}</span>
        </button>
      </div>
      <Field
        label="User"
        lines={2}
        value={textOf(turn.userContent)}
        change={(text) => change('user', { ...turn, userContent: withText(turn.userContent, text, 'user') })}
      />
      <Field
        label="Expected answer"
        lines={3}
        value={textOf(turn.finalResponse)}
        change={(text) => change('answer', { ...turn, finalResponse: withText(turn.finalResponse, text, 'model') })}
      />
      <details>
        <summary>
          Expected calls and rubrics <small>{more === 0 ? 'none' : toolNames(turn) || count(more, 'field')}</small>
        </summary>
        <JsonField
          label="Expected tool calls and intermediate answers"
          value={intermediateData ?? undefined}
          lines={8}
          change={(next) => change('steps', withoutKey('intermediateData', next))}
        />
        <JsonField
          label="Rubrics of this turn"
          value={rubrics ?? undefined}
          lines={4}
          change={(next) => change('rubrics', withoutKey('rubrics', next))}
        />
      </details>
    </section>
  );
}

function toolNames({ intermediateData }: Invocation): string {
  const uses = intermediateData && 'toolUses' in intermediateData ? (intermediateData.toolUses ?? []) : [];
  return uses.map(({ name }) => visible(name ?? '')).join(', ');
}

/** The draft as JSON. The editor is loaded when somebody opens it. */
function JsonPane(props: {
  readonly value: EvalCase;
  readonly readOnly: boolean;
  change(value: EvalCase): void;
  slip(problem: string | undefined): void;
}) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<JsonEditor | null>(null);
  const current = useRef(props);
  current.current = props;
  const known = useRef('');
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    let over = false;
    void import('./json-editor.ts').then(({ openJsonEditor }) => {
      if (over || host.current === null) return;
      known.current = JSON.stringify(current.current.value);
      const text = JSON.stringify(current.current.value, null, 2);
      editor.current = openJsonEditor(host.current, text, current.current.readOnly, (next) => {
        try {
          const value: unknown = JSON.parse(next);
          if (typeof value !== 'object' || value === null || Array.isArray(value))
            throw new Error('A case is an object.');
          known.current = JSON.stringify(value);
          current.current.slip(undefined);
          current.current.change(value as EvalCase);
        } catch (error) {
          current.current.slip((error as Error).message);
        }
      });
      setThere(true);
    }, complain);
    return () => {
      over = true;
      editor.current?.close();
      current.current.slip(undefined);
    };
  }, []);
  useEffect(() => {
    // Its own words never come back: only what undo or a save has changed.
    if (JSON.stringify(props.value) === known.current) return;
    known.current = JSON.stringify(props.value);
    editor.current?.show(JSON.stringify(props.value, null, 2));
  }, [props.value]);
  return (
    <>
      {!isThere && <p class="note">Loading the editor…</p>}
      <div ref={host} class="json-editor" />
      <p class="note">Tab indents here; press Escape, then Tab, to leave the editor.</p>
    </>
  );
}
