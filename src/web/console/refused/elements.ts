import {
  cloneElement,
  createElement,
  Fragment,
  isValidElement,
  type ReactElement,
  type ReactNode,
} from "react";

/** The props of elements, including those of form controls. */
export interface Props {
  children?: ReactNode;
  id?: string;
  name?: string;
  type?: string;
  method?: string;
  value?: string;
  htmlFor?: string;
  readOnly?: boolean;
  "aria-label"?: string;
  /** The member of the API's input that a control sets, if its name differs. */
  "data-member"?: string;
}
export type Element = ReactElement<Props>;

/** Renders all components in a node, so that it only has HTML elements. */
export function expanded(node: ReactNode): ReactNode {
  return mapped(node, (element) => {
    if (typeof element.type !== "function") return inside(element, expanded);
    const show = element.type as (props: Props) => ReactNode;
    return createElement(Fragment, { key: element.key }, expanded(show(element.props)));
  });
}

export function mapped(node: ReactNode, change: (element: Element) => ReactNode): ReactNode {
  if (Array.isArray(node)) return createElement(Fragment, null, ...node.map((each) => mapped(each, change)));
  return isValidElement<Props>(node) ? change(node) : node;
}

/** Passes children as separate arguments: an option accepts only text, and children outside arrays need no keys. */
export function inside(element: Element, change: (node: ReactNode) => ReactNode): Element {
  const { children } = element.props;
  if (children === undefined) return element;
  return cloneElement(element, undefined, ...(Array.isArray(children) ? children : [children]).map(change));
}

export function opened(element: Element): Element {
  return element.type === "details" ? cloneElement(element, { open: true } as Props) : element;
}

export function elementsIn(node: ReactNode): Element[] {
  if (Array.isArray(node)) return node.flatMap(elementsIn);
  return isValidElement<Props>(node) ? [node, ...elementsIn(node.props.children)] : [];
}

export function textOf(node: ReactNode): string {
  if (Array.isArray(node)) return node.map(textOf).join("");
  if (isValidElement<Props>(node)) return textOf(node.props.children);
  return typeof node === "string" || typeof node === "number" ? String(node) : "";
}
