// Hands the token behind # over for a session; addresses that browsers send never contain it.
const told = document.getElementById("entering");
const token = location.hash.slice(1);
const goOn = () => location.replace(location.pathname + location.search);

if (token) {
  history.replaceState(null, "", location.pathname + location.search);
  const answer = await fetch("/session", { method: "POST", body: token });
  if (answer.ok) goOn();
  else told.textContent = (await answer.json()).message;
} else {
  // A link on another site was followed: browsers keep the cookie back for that one request.
  const answer = await fetch("/session");
  if (answer.ok && (await answer.json()).open) goOn();
}
