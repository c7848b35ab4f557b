import { SkipLink, ThemeButton, usePhone } from '@agent-criteria/viewer/views';
import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { connection } from './connection.ts';
import { drawNow } from './draw-now.ts';
import { dropped } from './dropped.ts';
import { useStudioKeys } from './keys.ts';
import { lazy } from './lazy.tsx';
import { pane } from './pane.tsx';
import { appOfRoute } from './route.ts';
import { go, route } from './router.ts';
import { Sidebar } from './sidebar.tsx';
import { info, loadInfo, sidebarShown, theme } from './store.ts';
import { Toasts } from './toasts.tsx';
import { useDroppedFiles } from './use-dropped-files.ts';
import { useReturn } from './use-return.ts';

const Help = lazy(async () => (await import('./help.tsx')).Help, null);

/** Renders the frame around every view. */
export function Shell() {
  const [helping, setHelping] = useState(false);
  const [menu, setMenu] = useState(false);
  const phone = usePhone();
  const here = route.value;
  useStudioKeys({
    '?': () => setHelping(true),
    ...(here.view === 'run' || (here.view === 'chat' && here.session !== null)
      ? {}
      : {
          '/': () => {
            if (document.getElementById('search') === null) {
              if (phone) setMenu(true);
              else sidebarShown.value = true;
            }
            (document.getElementById('search') ?? document.getElementById('set-search'))?.focus();
          },
        }),
  });
  useReturn(() => void loadInfo());
  const isOver = useDroppedFiles(takeDropped);
  // Closes the menu once a view is opened from it.
  useEffect(() => setMenu(false), [here]);
  const app = appOfRoute(here);
  return (
    <>
      <SkipLink to="the view" />
      <section class="masthead" aria-label="Studio">
        {phone && <Button text="Sets" class="quiet" aria-expanded={menu} onClick={() => setMenu(!menu)} />}
        <a class="brand" href="#/">
          Agent Criteria
        </a>
        {app !== null && !phone && <bdi class="where">{app}</bdi>}
        <span class="tools">
          <ThemeButton theme={theme.value} set={(next) => (theme.value = next)} />
          <Button text="Help" class="quiet" aria-haspopup="dialog" onClick={() => setHelping(true)} />
        </span>
      </section>
      <div class={sidebarShown.value || phone ? 'shell' : 'shell folded'}>
        {phone ? (
          menu && <Sidebar />
        ) : sidebarShown.value ? (
          <Sidebar fold={() => turnSidebar(false)} />
        ) : (
          <aside class="sidebar-strip" aria-label="Side bar">
            <Button
              text="»"
              class="quiet"
              aria-label="Show the side bar"
              title="Show the side bar"
              onClick={() => turnSidebar(true)}
            />
          </aside>
        )}
        <div class="pane" hidden={phone && menu}>
          <ConnectionNote />
          {here.view === 'start' && <Notices />}
          {pane(here)}
        </div>
      </div>
      {isOver && here.view !== 'chat' && <p class="drop-note">Drop the file to import its conversations</p>}
      <Toasts />
      {helping && <Help close={() => setHelping(false)} />}
    </>
  );
}

/** Imports dropped files, except in a chat, which attaches them to the message. */
function takeDropped(files: readonly File[]): void {
  if (route.value.view === 'chat') return;
  dropped.value = files;
  go({ view: 'import' });
}

/** Shows or hides the side bar, and keeps the focus at its switch. */
function turnSidebar(isShown: boolean): void {
  drawNow(() => {
    sidebarShown.value = isShown;
  });
  document.querySelector<HTMLElement>('.sidebar-head button, .sidebar-strip button')?.focus();
}

/** Says that the studio does not answer, for as long as that lasts. */
function ConnectionNote() {
  const { value } = connection;
  return (
    <div role="status">
      {value === 'lost' && (
        <p class="banner error">
          <b>The studio does not answer.</b> Is it still running in the terminal? This page goes on by itself when it is
          back; what you have written stays, and what you send is queued.
        </p>
      )}
      {value === 'refused' && (
        <p class="banner error">
          <b>The studio has a new link.</b> Open the link that it printed in the terminal, in another tab if you have
          written something here: this page goes on by itself then.
        </p>
      )}
    </div>
  );
}

/** Lists files outside the folder that were read at startup, and what was wrong with kept ones. */
function Notices() {
  const { value } = info;
  if (value.state !== 'there' || value.value.notices.length === 0) return null;
  const isWarning = (notice: string) => notice.startsWith('warning:');
  return (
    <section class="notices" aria-label="Read at start">
      {value.value.notices.map((notice) => (
        <p key={notice} class={`banner ${isWarning(notice) ? 'not-evaluated' : 'informational'}`} dir="auto">
          {notice}
        </p>
      ))}
    </section>
  );
}
