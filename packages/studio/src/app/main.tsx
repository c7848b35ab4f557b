import { render } from 'preact';
import { watchConnection } from './connection.ts';
import { followAddress } from './router.ts';
import { Shell } from './shell.tsx';
import { loadInfo } from './store.ts';

const root = document.getElementById('app');
if (root !== null) {
  root.replaceChildren();
  followAddress();
  watchConnection();
  void loadInfo();
  render(<Shell />, root);
}
