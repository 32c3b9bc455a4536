import { useState } from 'preact/hooks';
import { signIn } from '../../state/session.js';

export function TokenForm() {
  const [text, setText] = useState('');
  const submit = (event: Event) => {
    event.preventDefault();
    if (text.trim() !== '') signIn(text.trim());
  };
  return (
    <form onSubmit={submit}>
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
