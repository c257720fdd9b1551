import type { ReactElement } from "react";
import { atFault } from "../fault.tsx";

export function Email(props: { value?: string | undefined; isAtFault?: boolean }): ReactElement {
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
        defaultValue={props.value}
        required
        {...atFault(props.isAtFault)}
      />
    </div>
  );
}

export function Password(props: {
  name: string;
  label: string;
  complete: string;
  isAtFault?: boolean;
}): ReactElement {
  const { name, label, complete, isAtFault } = props;
  return (
    <div>
      <label htmlFor={name}>{label}</label>
      <input id={name} name={name} type="password" autoComplete={complete} required {...atFault(isAtFault)} />
    </div>
  );
}
