import { useKeys, usePhone } from '@agent-criteria/viewer/views';
import { useEffect, useState } from 'preact/hooks';
import { Help } from './help.tsx';
import { pane } from './pane.tsx';
import { appOfRoute } from './route.ts';
import { route } from './router.ts';
import { Sidebar } from './sidebar.tsx';
import { covered, info, keysOn, type Theme, theme } from './store.ts';
import { Toasts } from './toasts.tsx';

const NEXT_THEME: Readonly<Record<Theme, Theme>> = { auto: 'light', light: 'dark', dark: 'auto' };

/** What is around every view. */
export function Shell() {
  const [helping, setHelping] = useState(false);
  const [menu, setMenu] = useState(false);
  const phone = usePhone();
  const here = route.value;
  useKeys(keysOn.value && covered.value === 0, {
    '?': () => setHelping(true),
    ...(here.view === 'run' || (here.view === 'chat' && here.session !== null)
      ? {}
      : {
          '/': () => {
            if (phone) setMenu(true);
            (document.getElementById('search') ?? document.getElementById('set-search'))?.focus();
          },
        }),
  });
  // A view that was opened from the menu is looked at.
  useEffect(() => setMenu(false), [here]);
  const app = appOfRoute(here);
  return (
    <>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place in the page, which the address must not forget the view for. */}
      <a
        class="skip"
        href="#main"
        onClick={(event) => {
          event.preventDefault();
          document.getElementById('main')?.focus();
        }}
      >
        Skip to the view
      </a>
      <section class="masthead" aria-label="Studio">
        {phone && (
          <button type="button" class="quiet" aria-expanded={menu} onClick={() => setMenu(!menu)}>
            Sets
          </button>
        )}
        <a class="brand" href="#/">
          Agent Criteria
        </a>
        {app !== null && !phone && <bdi class="where">{app}</bdi>}
        <span class="tools">
          <button type="button" class="quiet" onClick={() => (theme.value = NEXT_THEME[theme.value])}>
            Theme: {theme.value}
          </button>
          <button type="button" class="quiet" aria-haspopup="dialog" onClick={() => setHelping(true)}>
            Help
          </button>
        </span>
      </section>
      <div class="shell">
        {(!phone || menu) && <Sidebar />}
        <div class="pane" hidden={phone && menu}>
          {here.view === 'start' && <Notices />}
          {pane(here)}
        </div>
      </div>
      <Toasts />
      {helping && <Help close={() => setHelping(false)} />}
    </>
  );
}

/** What was read at start beside the folder. */
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
