/**
 * All that the pages run in a browser: a passkey is asked of the authenticator by script alone. A form that needs one is
 * hidden where there is no script, or no browser that can; it is sent as any other, with the answer in it.
 */
export const PASSKEYS_SCRIPT = `"use strict";
const able = Boolean(window.PublicKeyCredential?.parseRequestOptionsFromJSON);
const ask = async (form) => {
  const answer = await fetch("/passkeys/ask", { method: "POST", body: new URLSearchParams(new FormData(form)) });
  const asked = await answer.json();
  if (!answer.ok) throw new Error(asked.detail);
  const credential = form.elements.kind.value === "sign-in"
    ? await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked) })
    : await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked) });
  form.elements.answer.value = JSON.stringify(credential);
  HTMLFormElement.prototype.submit.call(form);
};
for (const form of document.querySelectorAll("form[data-passkey]")) {
  form.hidden = !able;
  const fault = form.querySelector("[role=alert]");
  const button = form.querySelector("button");
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    fault.hidden = button.disabled = true;
    try {
      await ask(form);
    } catch (error) {
      fault.textContent = error.name === "NotAllowedError"
        ? "No passkey was used. Try again, or sign in another way."
        : error.name === "InvalidStateError" ? "This device has a passkey of yours already." : error.message;
      fault.hidden = button.disabled = false;
    }
    button.disabled = false;
  });
}
for (const hint of document.querySelectorAll("[data-no-passkey]")) hint.hidden = able;
`;
