import { SkipLink, ThemeButton, usePhone } from '@agent-criteria/viewer/views';
import { useEffect, useState } from 'preact/hooks';
import { Button } from './button.tsx';
import { Help } from './help.tsx';
import { useStudioKeys } from './keys.ts';
import { pane } from './pane.tsx';
import { appOfRoute } from './route.ts';
import { route } from './router.ts';
import { Sidebar } from './sidebar.tsx';
import { info, theme } from './store.ts';
import { Toasts } from './toasts.tsx';

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
            if (phone) setMenu(true);
            (document.getElementById('search') ?? document.getElementById('set-search'))?.focus();
          },
        }),
  });
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

/** Lists files outside the folder that were read at startup. */
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
