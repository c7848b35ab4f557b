import type { EvalCase } from '@agent-criteria/core';
import { visible } from '@agent-criteria/viewer/views';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CaseVersion, Deleted } from '../../api.ts';
import { ask, isLostUpdate, messageOf, path, Refused } from '../api-client.ts';
import { formatRoute, type Route } from '../route.ts';
import { go } from '../router.ts';
import { Slips, useSlips } from '../slips.ts';
import { loadSets, sets } from '../store.ts';
import { complain, notify } from '../toasts.tsx';
import { notifyDeleted } from '../undo-change.ts';
import { View } from '../view.tsx';
import { type Draft, edit, replace, undo } from './case-draft.ts';
import { CaseForm } from './case-form.tsx';
import { CaseConflict } from './conflict.tsx';
import { keepDraft, keptDraft } from './drafts.ts';
import { JsonPane } from './json-pane.tsx';

type CaseRoute = Extract<Route, { view: 'case' }>;

/** A case as a form and as JSON, which are two views of one draft. */
export function CasePage({ route }: { readonly route: CaseRoute }) {
  const { app, set, id, pane } = route;
  const [saved, setSaved] = useState<CaseVersion | null>(null);
  const [draft, showDraft] = useState<Draft | null>(null);
  const [problem, setProblem] = useState<string>();
  const [slip, showSlip] = useState<string>();
  // What keys ask to be saved is what was typed last, drawn or not.
  const latest = useRef<{ draft: Draft | null; slip: string | undefined }>({ draft: null, slip: undefined });
  const [theirs, setTheirs] = useState<CaseVersion | null>(null);
  const [isGone, setGone] = useState(false);
  const [wrong, report] = useSlips();
  const at = path('apps', app, 'sets', set, 'cases', id);
  const all = path('apps', app, 'sets', set, 'cases');
  const listed = sets.value.get(app);
  const summary = listed?.state === 'there' ? listed.value.find((one) => one.id === set) : undefined;
  const editable = summary?.editable ?? false;

  const setDraft = (next: Draft | null) => {
    latest.current.draft = next;
    showDraft(next);
  };
  const setSlip = (next: string | undefined) => {
    latest.current.slip = next;
    showSlip(next);
  };
  const take = (one: CaseVersion, before: Draft | null = null) => {
    setSaved(one);
    setDraft(before === null ? { value: one.evalCase, before: [], field: '' } : replace(before, one.evalCase));
    setTheirs(null);
    setGone(false);
    setProblem(undefined);
    setSlip(undefined);
  };
  useEffect(() => {
    setTheirs(null);
    setGone(false);
    setProblem(undefined);
    const kept = keptDraft(at);
    setSaved(kept?.saved ?? null);
    setDraft(kept?.draft ?? null);
    if (kept !== undefined) return;
    const asked = new AbortController();
    ask<CaseVersion>('GET', at, { signal: asked.signal }).then(take, (error) => {
      if (!asked.signal.aborted) setProblem(messageOf(error));
    });
    return () => asked.abort();
  }, [at]);

  const isChanged = draft !== null && JSON.stringify(draft.value) !== JSON.stringify(saved?.evalCase);
  // At once: the next thing may be another view.
  useLayoutEffect(() => {
    if (saved === null || draft === null || saved.evalCase.evalId !== id) return;
    keepDraft(at, isChanged ? { saved, draft } : null);
  }, [at, draft, saved]);

  const change = (field: string, value: EvalCase) => {
    const { draft: now } = latest.current;
    if (now !== null) setDraft(edit(now, field, value));
  };
  const back = () => {
    const { draft: now } = latest.current;
    if (now !== null) setDraft(undo(now));
    setSlip(undefined);
  };
  const save = async (value: EvalCase, version: string | undefined) => {
    if (version === undefined) return;
    try {
      const next = await ask<CaseVersion>('PUT', at, { body: value, version });
      keepDraft(at, null);
      const { draft: now } = latest.current;
      if (now !== null && JSON.stringify(now.value) !== JSON.stringify(value) && theirs === null) {
        // What was typed meanwhile stays, to be saved over this.
        setSaved(next);
        setProblem(undefined);
      } else take(next, now);
      notify(`Saved “${visible(next.evalCase.evalId)}”.`);
      await loadSets(app);
      if (next.evalCase.evalId !== id) go({ ...route, id: next.evalCase.evalId }, 'instead');
    } catch (error) {
      if (isLostUpdate<EvalCase>(error)) {
        setTheirs({ evalCase: error.body.theirs, version: error.body.version });
        await loadSets(app);
      } else if (error instanceof Refused && error.status === 404) setGone(true);
      else setProblem(messageOf(error));
    }
  };
  const isReady = isChanged && slip === undefined && wrong === 0 && editable;
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 's') return;
      event.preventDefault();
      const { draft: now, slip: why } = latest.current;
      if (now === null || why !== undefined || wrong > 0 || !editable) return;
      if (now !== draft || isChanged) void save(now.value, saved?.version);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });
  const addAgain = async () => {
    if (draft === null) return;
    try {
      const next = await ask<CaseVersion>('POST', all, { body: draft.value });
      keepDraft(at, null);
      take(next, draft);
      notify(`Added “${visible(next.evalCase.evalId)}” again, at the end of the set.`);
      await loadSets(app);
      if (next.evalCase.evalId !== id) go({ ...route, id: next.evalCase.evalId }, 'instead');
    } catch (error) {
      setProblem(messageOf(error));
    }
  };
  const remove = async () => {
    try {
      const deleted = await ask<Deleted>('DELETE', at, { version: saved?.version });
      notifyDeleted(`“${visible(id)}”`, deleted, () => go(route));
      go({ view: 'set', app, set, search: '' });
      await loadSets(app);
    } catch (error) {
      if (isLostUpdate<EvalCase>(error)) setTheirs({ evalCase: error.body.theirs, version: error.body.version });
      else complain(error);
    }
  };
  const state =
    slip !== undefined
      ? slip === 'Reading…'
        ? slip
        : 'Not a case yet: the form shows what it was.'
      : wrong > 0
        ? 'A field is not JSON yet.'
        : isChanged
          ? 'Not saved yet'
          : 'Saved';
  return (
    <View
      title={visible(id)}
      above={
        <>
          <a href={formatRoute({ view: 'app', app })}>{visible(app)}</a> /{' '}
          <a href={formatRoute({ view: 'set', app, set, search: '' })}>{visible(summary?.name ?? set)}</a>
        </>
      }
    >
      {!editable && listed?.state === 'there' && (
        <p class="note">This set can be shown and run, but not edited here.</p>
      )}
      {summary?.notes.map((note) => (
        <p key={note} class="banner not-evaluated">
          {note}
        </p>
      ))}
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      {isGone && (
        <section class="banner error conflict" role="alert">
          <p>
            <b>This case was deleted or renamed elsewhere.</b> What you edited is still here.
          </p>
          <div class="buttons">
            <button type="button" class="main" onClick={() => void addAgain()}>
              Add it to the set again
            </button>
          </div>
        </section>
      )}
      {theirs !== null && draft !== null && saved !== null && (
        <CaseConflict
          base={saved.evalCase}
          theirs={theirs.evalCase}
          mine={draft.value}
          takeTheirs={() => take(theirs, draft)}
          save={(value) => void save(value, theirs.version)}
        />
      )}
      {draft !== null && (
        <>
          <div class="editor-bar">
            <nav class="tabs panes" aria-label="How it is edited">
              {(['form', 'json'] as const).map((one) => (
                <a
                  key={one}
                  href={formatRoute({ ...route, pane: one })}
                  aria-current={pane === one ? 'page' : undefined}
                >
                  {one === 'form' ? 'Form' : 'JSON'}
                </a>
              ))}
            </nav>
            <span class="note" role="status">
              {state}
            </span>
            <div class="view-actions">
              <button type="button" disabled={draft.before.length === 0} onClick={back}>
                Undo
              </button>
              <a class="quiet-link" href={formatRoute({ view: 'run-dialog', app, set, cases: [id] })}>
                Run…
              </a>
              <button type="button" class="danger" disabled={!editable} onClick={() => void remove()}>
                Delete
              </button>
              <button
                type="button"
                class="main"
                disabled={!isReady}
                onClick={() => void save(draft.value, saved?.version)}
              >
                Save
              </button>
            </div>
          </div>
          {pane === 'json' ? (
            <JsonPane
              key={at}
              value={draft.value}
              readOnly={!editable}
              slip={setSlip}
              change={(value) => change('json', value)}
            />
          ) : (
            <Slips.Provider value={report}>
              <fieldset class="case-form" disabled={!editable}>
                <legend class="unseen">The case</legend>
                <CaseForm key={at} value={draft.value} app={app} change={change} />
              </fieldset>
            </Slips.Provider>
          )}
        </>
      )}
    </View>
  );
}
