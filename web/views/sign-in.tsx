import { useState } from 'preact/hooks';
import { signIn, token } from '../state/session.js';

/** Asks for a token, where the server requires one. */
export function SignIn() {
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    if (text.trim() !== '') signIn(text.trim());
  };
  return (
    <form class="sign-in" onSubmit={submit}>
      <h1>Sign in</h1>
      {token.value !== undefined && (
        <p class="notice problem" role="alert">
          The server does not accept this token. It may have been revoked or have expired.
        </p>
      )}
      <label>
        Token
        <input
          type="password"
          name="token"
          autocomplete="off"
          required
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      <button type="submit" class="primary">
        Sign in
      </button>
      <p class="muted">
        The token is kept in this tab until you close it. The operator of this server makes one with{' '}
        <code>trellis token create --actor NAME</code>.
      </p>
    </form>
  );
}
