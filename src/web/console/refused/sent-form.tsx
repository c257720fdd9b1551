import { cloneElement, Fragment, type ReactElement, type ReactNode } from "react";
import type { Fault as Wrong } from "../../../contract/problem.ts";
import { Fault } from "../../fault.tsx";
import { TOKEN_FIELD } from "../../forms.ts";
import {
  type Element,
  elementsIn,
  expanded,
  inside,
  mapped,
  opened,
  type Props,
  textOf,
} from "./elements.ts";

/** A form that was sent, and its faults. */
export interface Sent {
  form: URLSearchParams;
  faults: readonly Wrong[];
}

const KEPT = ["hidden", "password", "submit"];

/**
 * Shows a page's content with the faults of a form above it, and the form as it was sent: opened, filled and with the
 * faulty fields marked. Components are called as plain functions, so they must not use hooks.
 */
export function WithSentForm({ sent, children }: { sent: Sent; children: ReactNode }): ReactElement {
  const content = expanded(children);
  const form = elementsIn(content).find((element) => isSent(element, sent.form));
  const controls = form ? controlsIn(form) : [];
  const named = sent.faults.map((fault) => {
    const control = controls.find((each) => isOf(fault, each));
    const [, index] = /\.(\d+)$/.exec(fault.path) ?? [];
    const line = index === undefined ? "" : ` (${Number(index) + 1})`;
    const place = control && form ? labelOf(control, form) + line : fault.path;
    return { ...fault, control, said: place === "" ? fault.message : `${place}: ${fault.message}` };
  });
  const placeOf = ({ control }: (typeof named)[number]) => (control ? controls.indexOf(control) : -1);
  named.sort((one, other) => placeOf(one) - placeOf(other));
  const faultsOf = (control: Element) => named.filter((fault) => fault.control === control);
  return (
    <>
      <Fault focused>
        {named.map(({ control, said, path }) => (
          <span key={`${path} ${said}`} className="block">
            {control?.props.id ? <a href={`#${control.props.id}`}>{said}</a> : said}
          </span>
        ))}
      </Fault>
      {form ? filled(content, form) : content}
    </>
  );

  function filled(node: ReactNode, within: Element): ReactNode {
    return mapped(node, (element) => {
      if (element === form) return inside(element, (child) => filledIn(child));
      if (!elementsIn(element).includes(within)) return element;
      return opened(inside(element, (child) => filled(child, within)));
    });
  }

  function filledIn(node: ReactNode): ReactNode {
    return mapped(node, (element) => {
      if (!controls.includes(element)) return opened(inside(element, filledIn));
      const faults = faultsOf(element);
      const control = withSent(element, sent.form);
      if (faults.length === 0) return control;
      const id = `fault-${element.props.name}`;
      return (
        <Fragment key={element.key}>
          {cloneElement(control, { "aria-invalid": true, "aria-describedby": id } as Props)}
          <p id={id} className="small at-fault">
            {faults.map(({ message }) => message).join("; ")}
          </p>
        </Fragment>
      );
    });
  }
}

function namedIn(form: Element): Element[] {
  return elementsIn(form).filter(({ props }) => props.name !== undefined && props.name !== TOKEN_FIELD);
}

/** Returns the controls that people fill in. */
function controlsIn(form: Element): Element[] {
  return namedIn(form).filter(({ type, props }) => type !== "button" && !KEPT.includes(props.type ?? ""));
}

/** Whether an element is the form that was sent: its hidden fields have the sent values, and it has all sent fields. */
function isSent(element: Element, sent: URLSearchParams): boolean {
  if (element.type !== "form" || element.props.method !== "post") return false;
  const fields = namedIn(element);
  const isHeld = ({ props: { type, name = "", value } }: Element) =>
    type !== "hidden" || sent.get(name) === value;
  const isKnown = (name: string) =>
    fields.some(
      ({ type, props }) => props.name === name && (type !== "button" || props.value === sent.get(name)),
    );
  return fields.every(isHeld) && [...sent.keys()].every((name) => name === TOKEN_FIELD || isKnown(name));
}

function isOf({ path }: Wrong, { props }: Element): boolean {
  const member = props["data-member"] ?? props.name;
  return path === member || path.startsWith(`${member}.`);
}

function labelOf({ props }: Element, form: Element): string {
  const isLabel = (each: Element) => each.type === "label" && each.props.htmlFor === (props.id ?? "");
  const label = elementsIn(form).find(isLabel);
  return props["aria-label"] ?? (label && textOf(label.props.children)) ?? props.name ?? "";
}

function withSent(control: Element, sent: URLSearchParams): Element {
  const { name = "", type, value, readOnly } = control.props;
  if (readOnly) return control;
  if (type === "checkbox" || type === "radio")
    return cloneElement(control, { defaultChecked: sent.get(name) === (value ?? "on") } as Props);
  return cloneElement(control, { defaultValue: sent.get(name) ?? "" } as Props);
}
