export function NodeView() {
  return <h1>Node</h1>;
}
