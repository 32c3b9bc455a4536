/**
 * A host may sandbox the page without forms; then no button submits any, not even to a listener. Nothing here is sent by
 * a form, so the event is enough.
 */
export function submitByEvent(): void {
  document.addEventListener('click', (event) => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    if (button?.type !== 'submit' || button.form === null) return;
    event.preventDefault();
    button.form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, cancelable: true }));
  });
}
