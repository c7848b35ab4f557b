import type { EvalCase } from '@agent-criteria/core';
import { visible } from '@agent-criteria/viewer/views';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { CaseVersion } from '../../api.ts';
import { addressOf, ask, isLostUpdate, messageOf, Refused } from '../api-client.ts';
import { useFormErrors } from '../form-errors.ts';
import type { Route } from '../route.ts';
import { go } from '../router.ts';
import { loadSets, setsOf } from '../store.ts';
import { complain, notify, notifyDeleted } from '../toasts.tsx';
import { type Draft, edit, replace, undo } from './case-draft.ts';
import { drafts } from './unsaved.ts';

export type CaseRoute = Extract<Route, { view: 'case' }>;

/** Stands in for an error while the text in the JSON editor is being parsed. */
export const READING = 'Reading…';

/** Manages a case being edited: its saved version, the draft, and conflicts with changes made elsewhere. */
export function useCaseDraft(route: CaseRoute) {
  const { app, set, id } = route;
  const place = { app, set, case: id };
  const at = addressOf('GET /apps/:app/sets/:set/cases/:case', place);
  const [saved, setSaved] = useState<CaseVersion | null>(null);
  const [draft, showDraft] = useState<Draft | null>(null);
  const [problem, setProblem] = useState<string>();
  const [textError, showTextError] = useState<string>();
  // Lets a shortcut save the latest input even before it is rendered.
  const latest = useRef<{ draft: Draft | null; textError: string | undefined }>({ draft: null, textError: undefined });
  const [theirs, setTheirs] = useState<CaseVersion | null>(null);
  const [isGone, setGone] = useState(false);
  const [wrong, report] = useFormErrors();
  const summary = setsOf(app)?.find((one) => one.id === set);
  const editable = summary?.editable ?? false;

  const setDraft = (next: Draft | null) => {
    latest.current.draft = next;
    showDraft(next);
  };
  const setTextError = (next: string | undefined) => {
    latest.current.textError = next;
    showTextError(next);
  };
  const settle = () => {
    setTheirs(null);
    setGone(false);
    setProblem(undefined);
  };
  const take = (one: CaseVersion, before: Draft | null = null) => {
    setSaved(one);
    setDraft(before === null ? { value: one.evalCase, before: [], field: '' } : replace(before, one.evalCase));
    settle();
    setTextError(undefined);
  };
  useEffect(() => {
    settle();
    const kept = drafts.get(at);
    setSaved(kept?.saved ?? null);
    setDraft(kept?.draft ?? null);
    if (kept !== undefined) return;
    const request = new AbortController();
    ask('GET /apps/:app/sets/:set/cases/:case', { ...place, signal: request.signal }).then(take, (error) => {
      if (!request.signal.aborted) setProblem(messageOf(error));
    });
    return () => request.abort();
  }, [at]);

  const isChanged = draft !== null && JSON.stringify(draft.value) !== JSON.stringify(saved?.evalCase);
  // A layout effect, so that it runs before the next view can be opened.
  useLayoutEffect(() => {
    if (saved === null || draft === null || saved.evalCase.evalId !== id) return;
    if (isChanged) drafts.set(at, { saved, draft });
    else drafts.delete(at);
  }, [at, draft, saved]);

  /** Reports a saved case and navigates to its new id if the id has changed. */
  const finish = async ({ evalCase: { evalId } }: CaseVersion, text: (name: string) => string) => {
    notify(text(visible(evalId)));
    await loadSets(app);
    if (evalId !== id) go({ ...route, id: evalId }, 'instead');
  };
  /** @returns the id of the saved case, or `null` if it was not saved. */
  const save = async (value: EvalCase, seen: string | undefined): Promise<string | null> => {
    if (seen === undefined) return null;
    try {
      const next = await ask('PUT /apps/:app/sets/:set/cases/:case', { ...place, body: value, seen });
      drafts.delete(at);
      const { draft: now } = latest.current;
      if (now !== null && JSON.stringify(now.value) !== JSON.stringify(value) && theirs === null) {
        // Keeps text typed in the meantime, to be saved on top of this version.
        setSaved(next);
        setProblem(undefined);
      } else take(next, now);
      await finish(next, (name) => `Saved “${name}”.`);
      return next.evalCase.evalId;
    } catch (error) {
      if (isLostUpdate<EvalCase>(error)) {
        setTheirs({ evalCase: error.body.theirs, version: error.body.version });
        await loadSets(app);
      } else if (error instanceof Refused && error.status === 404) setGone(true);
      else setProblem(messageOf(error));
      return null;
    }
  };
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 's') return;
      event.preventDefault();
      const { draft: now, textError: error } = latest.current;
      if (now === null || error !== undefined || wrong > 0 || !editable) return;
      if (now !== draft || isChanged) void save(now.value, saved?.version);
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  });

  return {
    at,
    summary,
    editable,
    saved,
    draft,
    problem,
    theirs,
    isGone,
    isChanged,
    isReady: isChanged && textError === undefined && wrong === 0 && editable,
    report,
    setTextError,
    take,
    save,
    state:
      textError !== undefined
        ? textError === READING
          ? textError
          : 'Not a case yet: the form shows what it was.'
        : wrong > 0
          ? 'A field is not JSON yet.'
          : isChanged
            ? 'Not saved yet'
            : 'Saved',
    change(field: string, value: EvalCase) {
      const { draft: now } = latest.current;
      if (now !== null) setDraft(edit(now, field, value));
    },
    undo() {
      const { draft: now } = latest.current;
      if (now !== null) setDraft(undo(now));
      setTextError(undefined);
    },
    async addAgain() {
      if (draft === null) return;
      try {
        const next = await ask('POST /apps/:app/sets/:set/cases', { app, set, body: draft.value });
        drafts.delete(at);
        take(next, draft);
        await finish(next, (name) => `Added “${name}” again, at the end of the set.`);
      } catch (error) {
        setProblem(messageOf(error));
      }
    },
    async remove() {
      try {
        const deleted = await ask('DELETE /apps/:app/sets/:set/cases/:case', { ...place, seen: saved?.version });
        notifyDeleted(`“${visible(id)}”`, deleted, () => go(route));
        go({ view: 'set', app, set, search: '' });
        await loadSets(app);
      } catch (error) {
        if (isLostUpdate<EvalCase>(error)) setTheirs({ evalCase: error.body.theirs, version: error.body.version });
        else complain(error);
      }
    },
  };
}
