import type { ReactElement } from "react";

export function Email({ value }: { value?: string | undefined }): ReactElement {
  return (
    <div>
      <label htmlFor="email">E-mail</label>
      <input
        id="email"
        name="email"
        type="text"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        spellCheck={false}
        defaultValue={value}
        required
      />
    </div>
  );
}

export function Password(props: { name: string; label: string; complete: string }): ReactElement {
  return (
    <div>
      <label htmlFor={props.name}>{props.label}</label>
      <input id={props.name} name={props.name} type="password" autoComplete={props.complete} required />
    </div>
  );
}
