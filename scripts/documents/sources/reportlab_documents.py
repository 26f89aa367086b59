# Prints the two documents made with ReportLab into the folder given.
import sys

folder = sys.argv[1]
from reportlab.lib.pagesizes import A4
from reportlab.platypus import *
from reportlab.lib.styles import getSampleStyleSheet
from reportlab.lib import colors
st=getSampleStyleSheet()
P=lambda t,s="Normal":Paragraph(t,st[s])
d=SimpleDocTemplate(folder + "/dubai_platypus.reportlab.pdf",pagesize=A4)
items=[["#","Item & Description","Qty","Rate","Amount"],["1",P("Consulting<br/><font size=7 color=grey>On-site workshop, two days</font>"),"2.00","1,100.00","2,200.00"],["2","Travel expenses","1.00","342.75","342.75"]]
d.build([P("<b>Brightwater Advisory FZ-LLC</b>","Title"),P("Office 904, Media City<br/>Dubai, U.A.E<br/>TRN 100234567800003"),Spacer(1,12),Table([[P("<b>TAX INVOICE</b>"),"# INV-000431"],["Balance Due","AED2,669.89"]]),Spacer(1,12),
 Table([[P("Bill To<br/><b>Sandstorm Logistics L.L.C</b><br/>Al Quoz 3<br/>Dubai"),Table([["Invoice Date :","11 Mar 2025"],["Terms :","Net 15"],["Due Date :","26 Mar 2025"]])]]),Spacer(1,12),
 Table(items,colWidths=[30,220,60,80,80],style=[("GRID",(0,0),(-1,-1),.5,colors.grey),("BACKGROUND",(0,0),(-1,0),colors.lightgrey),("ALIGN",(2,0),(-1,-1),"RIGHT")]),Spacer(1,8),
 Table([["Sub Total","2,542.75"],["Standard Rate (5%)","127.14"],["Total","AED2,669.89"],["Balance Due","AED2,669.89"]],hAlign="RIGHT",style=[("ALIGN",(1,0),(1,-1),"RIGHT")])])
from reportlab.pdfgen import canvas
c=canvas.Canvas(folder + "/french_till.reportlab.pdf",pagesize=(226,500)); y=480
def ln(l,r="",f="Courier",s=8):
    global y
    c.setFont(f,s); c.drawString(10,y,l); 
    if r: c.drawRightString(216,y,r)
    y-=s+3
for l,r in [("Le Petit Marché",""),("3 place Bellecour 69002 Lyon",""),("SIRET 45678912300011",""),("",""),("Ticket N° 00127-8841",""),("Le 09/12/2024 à 12:47",""),("",""),("BAGUETTE TRADITION","1,30 €"),("2 x 3,45 €",""),("COMTE 12 MOIS","6,90 €"),("TOMATES GRAPPE","2,18 €"),("",""),("TOTAL A PAYER","10,38 €"),("CARTE BANCAIRE","10,38 €"),("dont TVA 5,5 %","0,54 €"),("Merci de votre visite","")]: ln(l,r)
c.save()
