import { render } from 'preact';
import { App } from './app.js';
import { followKeys } from './state/keys.js';
import { followChanges } from './state/live.js';
import { finishSignIn } from './state/provider-sign-in.js';
import { followServer } from './state/server.js';
import { followTheme } from './state/theme.js';

followTheme();
// Before anything is asked for without a token.
void finishSignIn().then(() => {
  followServer();
  followChanges();
});
followKeys();
const place = document.getElementById('app');
if (place !== null) render(<App />, place);
